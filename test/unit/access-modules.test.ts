import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openTable } from '../../shared/data/table/table.ts';
import { type Access, combineAccess } from '../../shared/domain/table-access.ts';
import { handlerModule } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { outboxAccess } from '../../shared/outbox/access.ts';
import { sandboxProvider } from '../../shared/payments/sandbox.ts';
import { workers } from '../../shared/workers/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const moduleFiles = readdirSync(join(root, 'shared'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/access.ts'))
  .map((file) => join(root, 'shared', file));

/** Folder → the grants of its functions by name. An access module has one export. */
const grantsByFolder = new Map(
  await Promise.all(
    moduleFiles.map(async (file) => {
      const [grants] = Object.values(await import(file)).filter(isObject);
      if (grants === undefined) throw new Error(`${file} exports no grants.`);
      return [dirname(file), grants] as const;
    }),
  ),
);

/** The access module of shared/sales is about its folders too, but for those that have their own. */
const sales = join(root, 'shared/sales');
const grantsItsFolders = (folder: string): boolean => folder === sales;

/** A payment provider is chosen by name, so its methods are what an order calls. */
const providerMethods = Object.keys(sandboxProvider(openTable('unused')));

async function functionsIn(folder: string): Promise<string[]> {
  const all = readdirSync(folder, { recursive: grantsItsFolders(folder), encoding: 'utf8' });
  const files = all.filter((file) => file.endsWith('.ts') && file !== 'access.ts');
  const modules: unknown[] = await Promise.all(files.map((file) => import(join(folder, file))));
  return modules.flatMap((module) =>
    isObject(module) ? Object.keys(module).filter((name) => typeof module[name] === 'function') : [],
  );
}

describe('access modules', () => {
  it.each([...grantsByFolder].map(([folder, grants]) => ({ folder: relative(root, folder), path: folder, grants })))(
    '$folder/access.ts names functions of its folder',
    async ({ path, grants }) => {
      const known = [...(await functionsIn(path)), ...(path.endsWith('payments') ? providerMethods : [])];
      expect(known).toEqual(expect.arrayContaining(Object.keys(grants)));
    },
  );
});

interface Import {
  readonly file: string;
  readonly names: readonly string[];
}

function importsOf(file: string): Import[] {
  const found = readFileSync(file, 'utf8').matchAll(/^import \{([^}]+)\} from '(\.[^']+)';/gm);
  return [...found].map(([, names = '', source = '']) => ({
    file: resolve(dirname(file), source),
    names: names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
  }));
}

/** Those of the imported functions that have grants. */
function grantsIn(imports: readonly Import[]) {
  return imports.flatMap(({ file, names }) => {
    const own = grantsByFolder.has(dirname(file));
    const folder = file.startsWith(`${sales}/`) && !own ? sales : dirname(file);
    const grants = grantsByFolder.get(folder) ?? {};
    const granted = names.filter((name) => Object.hasOwn(grants, name));
    return granted.map((name) => ({ name: `${name} of ${relative(root, folder)}`, grant: grants[name] }));
  });
}

const withParts = (grants: readonly unknown[]): unknown[] =>
  grants.flatMap((grant) => (Array.isArray(grant) ? [grant, ...withParts(grant)] : [grant]));

const isShared = (file: string): boolean => /\/shared\/(http\/handlers|sales)\//.test(file);

/** What a handler calls itself, also through the functions that handlers share. */
function calledBy(file: string): Import[] {
  return importsOf(file).flatMap((imported) => (isShared(imported.file) ? calledByHelper(imported) : [imported]));
}

function calledByHelper({ file, names }: Import): Import[] {
  const source = readFileSync(file, 'utf8');
  const bodies = names.map((name) => new RegExp(`function ${name}\\([\\s\\S]*?^}`, 'm').exec(source)?.[0] ?? '').join();
  return importsOf(file).map((imported) => ({
    ...imported,
    names: imported.names.filter((name) => bodies.includes(`${name}(`)),
  }));
}

function everyImport(file: string, known = new Map<string, Import[]>()): ReadonlyMap<string, Import[]> {
  if (known.has(file)) return known;
  const imports = importsOf(file);
  known.set(file, imports);
  for (const imported of imports) everyImport(imported.file, known);
  return known;
}

const deployed = [
  ...operations.map((operation) => ({ ...operation, module: handlerModule(operation) })),
  ...workers.map((worker) => ({ ...worker, effects: { ...worker.effects, emits: [] } })),
].map(({ id, module, effects }) => ({ id, effects, file: join(root, 'functions', `${module}.ts`) }));

describe.each(deployed)('access of the operation $id', ({ effects, file }) => {
  // An operation that announces an event says so with `emits`, which grants it.
  // A grant of shared/sales contains those of the data functions that it calls.
  const listed: readonly unknown[] = [
    ...withParts(effects.access),
    ...(effects.emits.length > 0 ? [outboxAccess.outboxItems] : []),
  ];

  it('the operation lists the grants of every data function that its handler calls', () => {
    const missing = grantsIn(calledBy(file)).filter(({ grant }) => !listed.includes(grant));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('the operation lists no grants of a function that its handler cannot reach', () => {
    const reachable = grantsIn([...everyImport(file).values()].flat());
    expect(effects.access.filter((listed) => !reachable.some(({ grant }) => grant === listed))).toEqual([]);
  });
});

describe('combineAccess', () => {
  it('combineAccess returns every action of every kind once, sorted', () => {
    const readOrder: Access = [{ UNI: ['GetItem'], ORD: ['GetItem'] }, { BAR: ['BatchGetItem'] }];
    expect(JSON.stringify(combineAccess([readOrder, { ORD: ['Query', 'GetItem', 'BatchGetItem'] }, []]))).toBe(
      JSON.stringify({ BAR: ['BatchGetItem'], ORD: ['BatchGetItem', 'GetItem', 'Query'], UNI: ['GetItem'] }),
    );
  });
});
