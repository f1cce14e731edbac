/**
 * Replaces the package `side-channel`, a dependency of `qs`, in every bundle (lib/bundle.ts). The package also supports engines
 * without WeakMap, and that code would be a tenth of a bundle.
 */
module.exports = () => {
  const remembered = new WeakMap();
  return {
    assert(key) {
      if (!remembered.has(key)) throw new TypeError('Side channel does not contain the given object key');
    },
    delete: (key) => remembered.delete(key),
    get: (key) => remembered.get(key),
    has: (key) => remembered.has(key),
    set: (key, value) => void remembered.set(key, value),
  };
};
