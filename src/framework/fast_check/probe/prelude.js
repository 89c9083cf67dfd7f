globalThis.__redpin ??= (() => {
  const made = new Map();
  const most = 5000;
  const plain = (proto) => proto === Object.prototype || proto === null;
  const note = (value, how) => {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function' || typeof value === 'symbol') {
      const known = made.get(value) ?? [];
      if (known.length < 8) made.set(value, [...known, how]);
    }
    return value;
  };
  const tell = (library, whole) => {
    let left = most;
    const text = (value) => ({ text: library.stringify(value) });
    const chosen = (value) => {
      const known = made.get(value) ?? [];
      const called = whole ? [] : known.filter((how) => how.by !== 'map');
      return called[called.length - 1] ?? known[known.length - 1];
    };
    const list = (values) => Array.from({ length: values.length }, (_, at) => (at in values ? walk(values[at]) : null));
    const members = (value) => {
      const told = [];
      for (const key of Reflect.ownKeys(value)) {
        const own = Object.getOwnPropertyDescriptor(value, key);
        if (!own.enumerable || !('value' in own)) return undefined;
        told.push([walk(key), walk(own.value)]);
      }
      return told;
    };
    const data = (value) => {
      const proto = Object.getPrototypeOf(value);
      if (Array.isArray(value) && proto === Array.prototype) return { list: list(value) };
      if (proto === Map.prototype) return { call: 'new Map', list: [{ list: [...value].map((pair) => ({ list: list(pair) })) }] };
      if (proto === Set.prototype) return { call: 'new Set', list: [{ list: list([...value]) }] };
      if (plain(proto)) {
        const told = members(value);
        return told && { object: told, bare: proto === null };
      }
      const builtin = [Date, RegExp, Boolean, Number, String, Object.getPrototypeOf(Uint8Array)];
      const is = (type) => proto === type.prototype || (type.name === 'TypedArray' && value instanceof type);
      return builtin.some(is) && Object.keys(value).every((key) => /^\d+$/.test(key)) ? text(value) : undefined;
    };
    const holds = (told) => {
      if (told === null || told === undefined) return told === null;
      if (told.unknown !== undefined) return false;
      const inside = [...(told.list ?? []), ...(told.object ?? []).flat(), ...Object.values(told.around ?? {})];
      return inside.every(holds);
    };
    const walk = (value) => {
      left -= 1;
      if (left < 0) return { unknown: 'it is too large' };
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === undefined) return text(value);
      if (typeof value === 'boolean' || value === null) return text(value);
      const how = chosen(value);
      if (typeof value === 'symbol') {
        const said = Symbol.keyFor(value) !== undefined || /^Symbol\(Symbol\./.test(String(value));
        return said ? text(value) : (how ?? { unknown: 'a symbol of its own' });
      }
      if (typeof value === 'function') return how ?? { unknown: 'a function' };
      const told = data(value);
      if (told !== undefined && holds(told)) return told;
      if (how !== undefined && holds(how)) return how;
      return told ?? { unknown: `an object of ${Object.getPrototypeOf(value)?.constructor?.name ?? 'no class'}` };
    };
    return walk;
  };
  const given = (library, values) => {
    const walk = tell(library, false);
    return values.map((value) => walk(value));
  };
  const attempt = (library, how, make, values, around) => {
    // What it was made of is told before it is made: whoever makes it may change that.
    const list = given(library, values);
    const entries = around === undefined ? [] : Object.entries(around());
    const told = Object.fromEntries(entries.map(([name, value]) => [name, given(library, [value])[0]]));
    return note(make(), { ...how, list, around: told });
  };
  return {
    make: (library, site, type, values) => attempt(library, { by: 'new', site }, () => Reflect.construct(type, values), values),
    call: (library, site, object, name, values) => attempt(library, { by: 'call', site }, () => object[name](...values), values),
    run: (library, site, run, values) => attempt(library, { by: 'call', site }, () => run(...values), values),
    value: (site, value) => note(value, { by: 'name', site, list: [] }),
    map: (library, site, count, map, around) => function mapped(...values) {
      return attempt(library, { by: 'map', site }, () => map.apply(this, values), values.slice(0, count), around);
    },
    options: (library, options, replay, write) => ({
      ...options,
      ...replay.parameters,
      reporter: (details) => {
        const told = details.counterexample;
        if (told !== null && told !== undefined) {
          // Of a property that takes a record, that is all there is.
          const values = Array.isArray(told) ? [...told] : [told];
          const record = { key: replay.key, printed: values.map((value) => library.stringify(value)) };
          write(`${JSON.stringify({ ...record, calls: values.map(tell(library, false)), maps: values.map(tell(library, true)) })}\n`);
        }
        if (details.failed) throw new Error(library.defaultReportMessage(details));
      },
    }),
  };
})();
