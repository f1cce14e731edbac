/**
 * Which folder may import which. This table is the only statement of it, and a test compares every import with it (ADR 0003).
 * `test` and `bench` are not listed, because they may import anything.
 */
export interface Layer {
  /** The folder, relative to the repository's root. */
  readonly path: string;
  /** The other folders that files in this one may import. */
  readonly imports: readonly string[];
  /** The packages they may import: any, or only these and their parts. */
  readonly packages: 'any' | readonly string[];
  /** Packages that are refused although `packages` is 'any'. */
  readonly except?: readonly string[];
  readonly nodeBuiltins: boolean;
  /** Whether the folder's files may import each other. */
  readonly itself: boolean;
  /** Whether they may import the access modules of folders that they may not import. */
  readonly accessModules?: boolean;
}

/**
 * The folders whose `access.ts` says what their functions do to the table. An access module is data: it may import only
 * shared/domain and other access modules, so the registries list grants without bundling any code that uses the table.
 */
export const accessFolders = [
  'shared/catalogue',
  'shared/charges',
  'shared/data/*',
  'shared/outbox',
  'shared/payments',
  'shared/sales',
  'shared/sales/*',
  'shared/sso',
  'shared/webhooks',
];

/** What only the operator's CLI and local data generation may reach. No Lambda function imports it. */
export const adminData = 'shared/data/admin';

/** Folders and files that only these folders import. Tests may import them too. */
export const privateParts: readonly { readonly path: string; readonly importedBy: readonly string[] }[] = [
  { path: 'shared/data/positions/tree', importedBy: ['shared/data/positions'] },
  // The journal has one door (ADR 52): only `journalItems` composes an entry and writes its row.
  { path: 'shared/domain/journal/entries', importedBy: ['shared/domain/journal', 'shared/data/journal'] },
  { path: 'shared/data/journal/row.ts', importedBy: ['shared/data/journal'] },
];

/** Files whose imports may be computed: they load parts that a package does not export. */
export const hiddenImports = ['local/cloud/sqs/sqs-thread.ts'];

/** Deployment code must not end up in a Lambda bundle, and only `shared/http` knows middy. */
const cdk = ['aws-cdk-lib', 'constructs'];
const middy = ['@middy'];
const dynamodb = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@aws-sdk/util-dynamodb'];

const onData = { imports: ['shared/domain', 'shared/platform', 'shared/data'], nodeBuiltins: true, itself: true };

const behindHttp = [
  'shared/operations',
  'shared/catalogue',
  'shared/charges',
  'shared/domain',
  'shared/platform',
  'shared/sales',
  'shared/sso',
];
const ofHandlers = { packages: ['valibot'], nodeBuiltins: false, itself: true };

const onSite = {
  server: { imports: ['examples/site/server'], nodeBuiltins: true, itself: true },
  browser: { imports: ['examples/site/browser'], nodeBuiltins: false, itself: true },
};

export const layers: readonly Layer[] = [
  { path: 'shared/domain', imports: [], packages: [], nodeBuiltins: false, itself: true },
  {
    path: 'shared/operations',
    imports: ['shared/domain'],
    packages: ['valibot'],
    nodeBuiltins: false,
    itself: true,
    accessModules: true,
  },
  {
    path: 'shared/openapi',
    imports: ['shared/operations'],
    packages: ['valibot', '@valibot/to-json-schema'],
    nodeBuiltins: false,
    itself: true,
  },
  {
    path: 'shared/platform',
    imports: [],
    packages: 'any',
    except: [...cdk, ...middy],
    nodeBuiltins: true,
    itself: true,
  },
  { ...onData, path: 'shared/data', packages: [...dynamodb, 'valibot'] },
  { ...onData, path: adminData, imports: [...onData.imports, adminData], packages: [...dynamodb, 'valibot'] },
  { ...onData, path: 'shared/outbox', packages: [...dynamodb, '@aws-sdk/client-eventbridge', 'ulid', 'valibot'] },
  {
    ...onData,
    path: 'shared/workers',
    packages: ['@aws-sdk/client-lambda', 'aws-lambda', 'valibot'],
    accessModules: true,
  },
  {
    ...onData,
    path: 'shared/webhooks',
    imports: [...onData.imports, 'shared/outbox'],
    packages: [...dynamodb, '@aws-sdk/client-sqs', 'ipaddr.js', 'ulid', 'valibot'],
  },
  { ...onData, path: 'shared/payments', packages: [...dynamodb, 'stripe', 'valibot'] },
  { ...onData, path: 'shared/sso', packages: [...dynamodb, 'aws-jwt-verify', 'valibot'] },
  { ...onData, path: 'shared/catalogue', packages: [] },
  // Only the functions that make documents import it.
  {
    ...onData,
    path: 'shared/documents',
    imports: [...onData.imports, 'shared/outbox'],
    packages: [
      '@aws-sdk/client-sqs',
      '@expo-google-fonts/noto-sans',
      'fontkit',
      'passkit-generator',
      'pdfkit',
      'qr',
      'valibot',
    ],
  },
  // What an operation does once HTTP is gone: read, decide by a pure rule, write one transaction, return an outcome (ADR 72).
  {
    ...onData,
    path: 'shared/sales',
    imports: [...onData.imports, 'shared/outbox', 'shared/mappers', 'shared/payments'],
    packages: [],
  },
  {
    ...onData,
    path: 'shared/charges',
    imports: [...onData.imports, 'shared/outbox', 'shared/mappers', 'shared/payments', 'shared/sales'],
    packages: [],
  },
  {
    path: 'shared/mappers',
    imports: ['shared/operations', 'shared/catalogue', 'shared/data', 'shared/domain'],
    packages: [],
    nodeBuiltins: false,
    itself: true,
  },
  {
    path: 'shared/http',
    imports: [...behindHttp, 'shared/data'],
    packages: 'any',
    except: cdk,
    nodeBuiltins: true,
    itself: true,
  },
  // What is HTTP in an operation. It does not read the table, with two exceptions (ADR 72).
  { ...ofHandlers, path: 'shared/http/handlers', imports: [...behindHttp, 'shared/http'] },
  // The one object that a path names, or its 404.
  { ...ofHandlers, path: 'shared/http/handlers/from-path', imports: [...behindHttp, 'shared/http', 'shared/data'] },
  // What the proof of a caller needs.
  { ...ofHandlers, path: 'shared/http/handlers/callers', imports: [...behindHttp, 'shared/http', 'shared/data'] },
  { path: 'functions', imports: ['shared'], packages: [], nodeBuiltins: false, itself: false },
  { path: 'lib', imports: ['shared'], packages: 'any', nodeBuiltins: true, itself: true },
  { path: 'local', imports: ['lib', 'shared', adminData], packages: 'any', nodeBuiltins: true, itself: true },
  // It runs any synthesized assembly, and knows nothing of the product.
  { path: 'local/cloud', imports: [], packages: 'any', nodeBuiltins: true, itself: true },
  { path: 'admin', imports: ['local', 'shared', adminData], packages: 'any', nodeBuiltins: true, itself: true },
  // The examples import nothing of the service, so they can be copied.
  { path: 'examples/gate', imports: [], packages: [], nodeBuiltins: true, itself: true },
  // The shop and the office do not know each other: who copies one takes `examples/site` along, and nothing else.
  {
    path: 'examples/site/server',
    imports: ['examples/site/browser/resources.ts'],
    packages: ['esbuild'],
    nodeBuiltins: true,
    itself: true,
  },
  { path: 'examples/site/browser', imports: [], packages: ['preact'], nodeBuiltins: false, itself: true },
  // Whether an event is on sale is one rule, on the page and on the server, and the server draws the frame as the page does.
  {
    ...onSite.server,
    path: 'examples/shop/server',
    imports: [
      ...onSite.server.imports,
      'examples/shop/browser/parts/frame.ts',
      'examples/shop/browser/resources.ts',
      'examples/shop/browser/state/sale.ts',
      'examples/site/browser/resources.ts',
      'examples/site/browser/state/colours.ts',
    ],
    packages: ['standardwebhooks'],
  },
  { ...onSite.browser, path: 'examples/shop/browser', packages: ['preact', 'qr'] },
  { ...onSite.server, path: 'examples/office/server', packages: ['aws-jwt-verify'] },
  { ...onSite.browser, path: 'examples/office/browser', packages: ['preact'] },
  {
    path: 'examples/mailer',
    imports: [],
    packages: [
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-secrets-manager',
      '@aws-sdk/client-sesv2',
      '@aws-sdk/client-sqs',
      'nodemailer',
      ...cdk,
      'esbuild',
    ],
    nodeBuiltins: true,
    itself: true,
  },
  {
    path: 'examples/demo',
    imports: ['examples/mailer', 'examples/office/server', 'examples/shop/server', 'examples/site/server'],
    packages: [],
    nodeBuiltins: false,
    itself: false,
  },
  { path: 'tools', imports: ['lib', 'local', 'shared'], packages: 'any', nodeBuiltins: true, itself: true },
  // Builders of data that tests and the benchmark share.
  {
    path: 'tools/fixtures',
    imports: ['local', 'shared', adminData],
    packages: 'any',
    nodeBuiltins: true,
    itself: true,
  },
  {
    path: 'bin',
    imports: ['admin', 'bench', 'examples/demo', 'lib', 'local', 'shared', 'tools'],
    packages: 'any',
    nodeBuiltins: true,
    itself: false,
  },
];
