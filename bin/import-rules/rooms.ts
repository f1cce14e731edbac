/**
 * Who may import whom. This table is the architecture's only statement of it: biome/import-rules.json is written from
 * here and makes every breach a lint error (ADR 0003). `test` and `bench` are not listed, because they may import anything.
 */
export interface Room {
  /** The folder, from the repository's root. */
  readonly path: string;
  /** The other rooms, or folders of rooms, that files in this one may import. */
  readonly rooms: readonly string[];
  /** The packages they may import: all, or these and no others. */
  readonly packages: 'any' | readonly string[];
  /** Packages refused although `packages` is 'any'. */
  readonly except?: readonly string[];
  readonly nodeBuiltins: boolean;
  /** Whether the room's files may import each other. */
  readonly itself: boolean;
}

/** Deployment code must not travel into a Lambda bundle, and only the door knows middy. */
const cdk = ['aws-cdk-lib', 'constructs'];
const middy = ['@middy/*'];
const dynamodb = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@aws-sdk/util-dynamodb'];

const archive = { rooms: ['shared/domain', 'shared/platform', 'shared/data'], nodeBuiltins: true, itself: true };

export const rooms: readonly Room[] = [
  { path: 'shared/domain', rooms: [], packages: [], nodeBuiltins: false, itself: true },
  { path: 'shared/operations', rooms: ['shared/domain'], packages: ['valibot'], nodeBuiltins: false, itself: true },
  {
    path: 'shared/openapi',
    rooms: ['shared/operations'],
    packages: ['valibot', '@valibot/to-json-schema'],
    nodeBuiltins: false,
    itself: true,
  },
  { path: 'shared/platform', rooms: [], packages: 'any', except: [...cdk, ...middy], nodeBuiltins: true, itself: true },
  { ...archive, path: 'shared/data', packages: [...dynamodb, 'valibot'] },
  { ...archive, path: 'shared/events', packages: [...dynamodb, '@aws-sdk/client-eventbridge', 'ulid', 'valibot'] },
  { ...archive, path: 'shared/workers', packages: ['aws-lambda'] },
  {
    ...archive,
    path: 'shared/webhooks',
    rooms: [...archive.rooms, 'shared/events'],
    packages: [...dynamodb, '@aws-sdk/client-sqs', 'ipaddr.js', 'ulid', 'valibot'],
  },
  { ...archive, path: 'shared/payments', packages: [...dynamodb, 'valibot'] },
  { ...archive, path: 'shared/sso', packages: [...dynamodb, 'aws-jwt-verify/*', 'valibot'] },
  {
    ...archive,
    path: 'shared/checkout',
    rooms: [...archive.rooms, 'shared/events', 'shared/mappers', 'shared/payments'],
    packages: [],
  },
  {
    path: 'shared/mappers',
    rooms: ['shared/operations', 'shared/data', 'shared/domain'],
    packages: [],
    nodeBuiltins: false,
    itself: true,
  },
  {
    path: 'shared/http',
    rooms: ['shared/operations', 'shared/checkout', 'shared/data', 'shared/domain', 'shared/platform', 'shared/sso'],
    packages: 'any',
    except: cdk,
    nodeBuiltins: true,
    itself: true,
  },
  {
    path: 'functions',
    rooms: ['shared'],
    packages: [],
    nodeBuiltins: false,
    itself: false,
  },
  { path: 'lib', rooms: ['shared'], packages: 'any', nodeBuiltins: true, itself: true },
  { path: 'local', rooms: ['lib', 'shared'], packages: 'any', nodeBuiltins: true, itself: true },
  { path: 'bin', rooms: ['lib', 'local', 'shared'], packages: 'any', nodeBuiltins: true, itself: true },
];
