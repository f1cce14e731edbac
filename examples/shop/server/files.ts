import { fileURLToPath } from 'node:url';

const browserFile = (name: string): string => fileURLToPath(new URL(`../browser/${name}`, import.meta.url));

type Script = 'shop.js' | 'office.js';

/** The HTML document of the shop, or of the office. The script decides by the path which page it shows. */
export const documentOf = (script: Script): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tickets</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/shop.css">
    <script type="module" src="/${script}"></script>
  </head>
  <body>
    <noscript><p>This shop needs JavaScript.</p></noscript>
    <div id="shop"></div>
  </body>
</html>
`;

/** The scripts and the style sheet, as esbuild last wrote them. */
export class Bundle {
  #files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

  /**
   * Bundles the pages when a document is requested: that takes esbuild a moment, costs nothing at the start, and shows every edit
   * after a reload. A real shop would build once and serve the files from a CDN.
   */
  refresh(): void {
    this.#files = build();
    // The request for a file reports the error.
    this.#files.catch(() => {});
  }

  async file(name: Script | 'shop.css'): Promise<Uint8Array> {
    this.#files ??= build();
    const file = (await this.#files).get(name);
    if (file === undefined) throw new Error(`esbuild wrote no ${name}.`);
    return file;
  }
}

async function build(): Promise<ReadonlyMap<string, Uint8Array>> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: [
      { in: browserFile('main.tsx'), out: 'shop' },
      // Of its own: a fan's phone need not load the office.
      { in: browserFile('office/main.tsx'), out: 'office' },
      { in: browserFile('styles/shop.css'), out: 'shop' },
    ],
    tsconfig: browserFile('tsconfig.json'),
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*[\\/]/, ''), contents]));
}
