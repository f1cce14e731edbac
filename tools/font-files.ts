import { readFileSync } from 'node:fs';

/** A font as a module, as the bundler of functions makes one: its bytes. */
export function fontModule(file: string | URL): string {
  return `export default Buffer.from('${readFileSync(file, 'base64')}', 'base64');`;
}

/** Loads fonts in the test run. A plugin of Vite. */
export const fontFiles = {
  name: 'font-files',
  enforce: 'pre',
  load: (id: string): string | undefined => (id.endsWith('.ttf') ? fontModule(id) : undefined),
} as const;
