import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** What a document shows before its script runs. */
export interface Shell {
  /** The frame of the page, as HTML. */
  readonly html: string;
  /** Styles beside those of the part. */
  readonly style: string;
  /** What the pages need to know beside their configuration. */
  readonly config: object;
}

/** The pages of a part: the script `main.tsx` and the style sheet `styles/main.css` of its folder `browser`. */
export class Pages {
  /** Of the script: `/shop.js`. */
  readonly name: string;
  readonly #folder: URL;
  #script: Promise<Uint8Array> | undefined;

  /** The folder ends with a slash. */
  constructor(name: string, folder: URL) {
    this.name = name;
    this.#folder = folder;
  }

  /**
   * The HTML document of every page, with its styles, its configuration and its frame: there is something to read before the script and any
   * answer of the API arrive. The script decides by the path which page it shows. The hash allows the styles in the policy of the page.
   *
   * The script is bundled when a document is requested: that takes esbuild a moment, costs nothing at the start, and shows every edit
   * after a reload. A real site would build once and serve the files from a CDN.
   */
  async document(config: object, shell?: Shell): Promise<{ readonly html: string; readonly styleHash: string }> {
    this.#script = this.#build('main.tsx');
    // The request for the script reports the error.
    this.#script.catch(() => {});
    const css = new TextDecoder().decode(await this.#build('styles/main.css')) + (shell?.style ?? '');
    // No text in it can end the element.
    const json = JSON.stringify({ ...config, ...shell?.config }).replaceAll('<', '\\u003c');
    const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tickets</title>
    <link rel="icon" href="data:,">
    <script type="module" src="/${this.name}.js"></script>
    <style>${css}</style>
  </head>
  <body>
    <noscript><p>This page needs JavaScript.</p></noscript>
    <div id="site">${shell?.html ?? ''}</div>
    <script type="application/json" id="config">${json}</script>
  </body>
</html>
`;
    return { html, styleHash: createHash('sha256').update(css).digest('base64') };
  }

  /** The script, as esbuild last wrote it. */
  script(): Promise<Uint8Array> {
    this.#script ??= this.#build('main.tsx');
    return this.#script;
  }

  async #build(file: string): Promise<Uint8Array> {
    const esbuild = await import('esbuild');
    const source = (path: string): string => fileURLToPath(new URL(path, this.#folder));
    const { outputFiles } = await esbuild.build({
      entryPoints: [source(file)],
      tsconfig: source('tsconfig.json'),
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      logLevel: 'silent',
    });
    const [built] = outputFiles;
    if (built === undefined) throw new Error(`esbuild wrote nothing for ${file}.`);
    return built.contents;
  }
}
