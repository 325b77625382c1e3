// Replaces a CSS module in tests: each class keeps its name.
export default new Proxy({}, { get: (_, name) => String(name) });
