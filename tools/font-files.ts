import { readFile } from 'node:fs/promises';

/** Loads fonts in the test run as the bundler of functions does: as bytes. A plugin of Vite. */
export const fontFiles = {
  name: 'font-files',
  enforce: 'pre',
  async load(id: string) {
    if (!id.endsWith('.ttf')) return undefined;
    return `export default Buffer.from('${(await readFile(id)).toString('base64')}', 'base64');`;
  },
} as const;
