export default { test: { include: ['tests/**/*.test.mts'] } };
