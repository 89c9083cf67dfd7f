// Hooks of Node's loader: modules of fast-check are loaded with what makes them tell of their runs.

import inject from './inject.cjs';

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.format !== 'module' || !inject.isOfInterest(url) || loaded.source == null) return loaded;
  const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString('utf8');
  return { ...loaded, source: inject.injected(source) };
}
