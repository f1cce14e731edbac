import { fileURLToPath } from 'node:url';

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/** The pages of a part: the script `main.tsx` and the style sheet `styles/main.css` of its folder `browser`. */
export class Pages {
  /** Of the files: `/shop.js` and `/shop.css`. */
  readonly name: string;
  readonly #folder: URL;
  #files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

  /** The folder ends with a slash. */
  constructor(name: string, folder: URL) {
    this.name = name;
    this.#folder = folder;
  }

  /** The HTML document of every page. The script decides by the path which page it shows. */
  get document(): string {
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tickets</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/${this.name}.css">
    <script type="module" src="/${this.name}.js"></script>
  </head>
  <body>
    <noscript><p>This page needs JavaScript.</p></noscript>
    <div id="site"></div>
  </body>
</html>
`;
  }

  /**
   * Bundles the pages when a document is requested: that takes esbuild a moment, costs nothing at the start, and shows every edit
   * after a reload. A real site would build once and serve the files from a CDN.
   */
  refresh(): void {
    this.#files = this.#build();
    // The request for a file reports the error.
    this.#files.catch(() => {});
  }

  /** The script or the style sheet of this path, as esbuild last wrote it; undefined if the path is none of them. */
  async file(path: string): Promise<{ readonly type: string; readonly contents: Uint8Array } | undefined> {
    const [kind, type] = Object.entries(types).find(([ending]) => path === `/${this.name}.${ending}`) ?? [];
    if (kind === undefined || type === undefined) return undefined;
    this.#files ??= this.#build();
    const contents = (await this.#files).get(`${this.name}.${kind}`);
    if (contents === undefined) throw new Error(`esbuild wrote no ${this.name}.${kind}.`);
    return { type, contents };
  }

  async #build(): Promise<ReadonlyMap<string, Uint8Array>> {
    const esbuild = await import('esbuild');
    const source = (path: string): string => fileURLToPath(new URL(path, this.#folder));
    const { outputFiles } = await esbuild.build({
      entryPoints: [
        { in: source('main.tsx'), out: this.name },
        { in: source('styles/main.css'), out: this.name },
      ],
      tsconfig: source('tsconfig.json'),
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
}
