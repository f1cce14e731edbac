import { openApiDocument } from '../../shared/openapi/document.ts';
import { recordedCall } from '../../shared/openapi/examples.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { aboutSamples } from './about-samples.ts';
import { themeCss } from './colours.ts';
import { guidesMarkdown } from './guides.ts';
import { markdownFiles } from './markdown.ts';
import { codeSamples } from './samples/samples.ts';
import { scalarScript } from './scalar.ts';

/** Nothing of the page can load from, or send to, another origin. Scalar sets styles on elements. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy.replace(/; frame-ancestors.*$/, '')}">
    <title>Gateline API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The description of the API is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="scalar.js"></script>
    <script src="reference.js"></script>
  </body>
</html>
`;

/**
 * Scalar's own services are off: fonts, telemetry, assistant, sharing and proxy. Models are shown with the operations that have them and
 * not on their own: in the search they stood before the operations. Enter opens the first result, as in every search.
 */
const start = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hiddenClients: true,
  documentDownloadType: 'json',
  hideModels: true,
  customCss: ${JSON.stringify(themeCss)},
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
});
document.addEventListener('keydown', (pressed) => {
  const field = pressed.target;
  if (pressed.key !== 'Enter' || field.getAttribute('role') !== 'combobox') return;
  if (field.getAttribute('aria-activedescendant')) return;
  const results = document.getElementById(field.getAttribute('aria-controls'));
  const first = results && results.querySelector('[role=option]');
  if (!first) return;
  pressed.preventDefault();
  pressed.stopPropagation();
  first.click();
}, true);
`;

/** The files of the reference page, by name, for a service at this address. */
export async function referenceFiles(serverUrl: string, folder: string): Promise<ReadonlyMap<string, Buffer>> {
  return new Map([
    ['index.html', Buffer.from(page)],
    ['reference.js', Buffer.from(start)],
    ['scalar.js', await scalarScript(folder)],
    ...textFiles(serverUrl),
  ]);
}

/** The files without the script that draws the page: they need no network. */
export function textFiles(serverUrl: string): ReadonlyMap<string, Buffer> {
  const document = withSamples(serverUrl);
  return new Map([
    ['openapi.json', Buffer.from(JSON.stringify(document))],
    ...[...markdownFiles(document)].map(([name, text]) => [name, Buffer.from(text)] as const),
  ]);
}

/** The OpenAPI document, with a program in each language for every operation. */
function withSamples(serverUrl: string): Readonly<Record<string, unknown>> {
  const recorded = operations.filter((operation) => recordedCall(operation) !== undefined);
  const samples = new Map(recorded.map((operation) => [operation.id, codeSamples(operation, serverUrl)]));
  const document = openApiDocument(operations, serverUrl);
  const described = { ...document, info: withGuides(document.info) };
  return JSON.parse(JSON.stringify(described), (_key, value) => {
    const found = isRecord(value) && typeof value.operationId === 'string' ? samples.get(value.operationId) : undefined;
    return found === undefined || !('responses' in value) ? value : { ...value, 'x-codeSamples': found };
  });
}

/** The samples and the guides come after the introduction. Scalar lists them at the top level, as the introduction has a heading too. */
function withGuides(info: unknown): object {
  if (!isRecord(info)) throw new Error('The document has no info.');
  return { ...info, description: ['# Introduction', info.description, aboutSamples, guidesMarkdown()].join('\n\n') };
}
