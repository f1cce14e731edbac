/**
 * Stands in every bundle in the place of the package with which `qs` remembers things about objects (lib/bundle.ts). That one
 * also serves engines without WeakMap, and brings a tenth of a bundle for it.
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
