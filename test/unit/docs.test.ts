import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { auditChecks } from '../../shared/domain/audit/finding.ts';
import { keyKinds } from '../../shared/domain/table-access.ts';
import { Event } from '../../shared/operations/schemas/event.ts';
import { Price } from '../../shared/operations/schemas/price.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const topLevel = readdirSync(root);
const documents = [
  '.',
  'docs',
  'docs/adr',
  'docs/guides',
  'examples/gate',
  'examples/mailer',
  'examples/office',
  'examples/shop',
  'examples/site',
  'local',
  'shared/data/positions',
  'shared/mappers',
  'shared/operations/schemas',
  'test/support',
  'test/unit',
].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const existsIn = (folder: string, path: string): boolean => existsSync(join(root, folder, path));

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): string[] {
  return Array.from(read(file).matchAll(/^#{1,6} (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** The relative links of a document that lead nowhere. */
function brokenLinks(file: string, text: string): string[] {
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      if (path !== '' && !existsIn(dirname(file), path)) return true;
      return anchor !== undefined && !anchorsOf(path === '' ? file : join(dirname(file), path)).includes(anchor);
    });
}

/** Written by a command, so a fresh clone does not have them. */
const generated = ['.build', '.local', 'cdk.out', 'node_modules'];

/** What is written as code and looks like a path: it has a file extension of ours, or begins with a folder that exists. */
function looksLikePath(folder: string, code: string): boolean {
  if (!/^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(code)) return false;
  const [first = ''] = code.split('/');
  if (generated.includes(first)) return false;
  const isFile = /\.(ts|mjs|cjs|md|grit|sh|java)$/.test(code);
  return isFile || (code.includes('/') && (topLevel.includes(first) || existsIn(folder, first)));
}

/** The paths in backticks that are neither below the repository's root nor below the document's folder. */
function missingPaths(file: string, text: string): string[] {
  const codes = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  const folder = dirname(file);
  return codes.filter((code) => looksLikePath(folder, code) && !existsIn('.', code) && !existsIn(folder, code));
}

describe('document checks', () => {
  it('the document checks find a broken link, a wrong anchor and a missing path', () => {
    const text = [
      'See [a](missing.md), [b](README.md#no-such-heading), [c](README.md#folders) and [d](https://example.com/x).',
      'Code is in `shared/no-such-folder/x.ts`, `no-such-file.ts` and `shared/http`; calls go to `/v1/members`.',
    ].join('\n');
    expect(brokenLinks('README.md', text)).toEqual(['missing.md', 'README.md#no-such-heading']);
    expect(missingPaths('README.md', text)).toEqual(['shared/no-such-folder/x.ts', 'no-such-file.ts']);
  });
});

describe.each(documents)('document %s', (file) => {
  const text = read(file);

  it('the document has no broken links', () => {
    expect(brokenLinks(file, text)).toEqual([]);
  });

  it('the document names only existing paths', () => {
    expect(missingPaths(file, text)).toEqual([]);
  });
});

const records = documents.filter((file) => /\/\d{4}-[^/]+$/.test(file)).sort();

/** Two pages (ADR 1). */
it.each(records)('%s has at most two pages', (file) => {
  const text = read(file);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  expect(text.length).toBeLessThanOrEqual(10_000);
});

it.each(records)('%s has the parts that ADR 1 demands', (file) => {
  const demanded = Array.from(
    read('docs/adr/0001-record-decisions.md').matchAll(/^- \*\*(.+?)\*\*:/gm),
    ([, part]) => part,
  );
  expect(demanded).toHaveLength(4);
  expect(Array.from(read(file).matchAll(/^## (.+)$/gm), ([, heading]) => heading)).toEqual(demanded);
});

it('the index of ADRs lists every record with its title', () => {
  const index = read('docs/adr/README.md');
  const rows = records.map((file) => {
    const [, number, title] = read(file).match(/^# (\d+)\. (.+)$/m) ?? [];
    return `| [${number}](${basename(file)}) | ${title} |`;
  });
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows);
});

it('ADR 34 has a row for every check of the audit', () => {
  const rows = [...read('docs/adr/0034-audit.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, check]) => check);
  expect(rows).toEqual([...auditChecks]);
});

it('the guides read only fields of events and prices that exist', () => {
  const fields: Record<string, string[]> = { event: Object.keys(Event.entries), price: Object.keys(Price.entries) };
  const lines = documents.filter((file) => file.startsWith('docs/guides/')).flatMap((file) => read(file).split('\n'));
  const used = lines
    .filter((line) => line.includes("pick '"))
    .flatMap((line) => [...line.matchAll(/\b(event|price)\.([a-z_]+)/g)]);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter(([, what = '', name = '']) => !fields[what]?.includes(name)).map(([text]) => text)).toEqual([]);
});

it('the runbook says of every kind of key what it means when it is throttled', () => {
  const [, section = ''] = read('docs/runbook.md').split('### The table throttles');
  const [table = ''] = section.split('### ');
  const named = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z]+)#/g)]);
  expect(named.map(([, kind]) => kind).sort()).toEqual(Object.keys(keyKinds).sort());
});

/** The lines of every block of shell commands of a document, before which a document may say `export AWS_REGION`. */
const commandsOf = (file: string): string[] =>
  [...read(file).matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'));

describe('commands of the documents for operators', () => {
  const operating = documents.filter((file) => commandsOf(file).some((line) => line.includes('cdk bootstrap')));

  it('the region is set before the first command that depends on it', () => {
    expect(operating).toContain('docs/operating.md');
    for (const file of operating) {
      const lines = commandsOf(file);
      const region = lines.findIndex((line) => /(^|\s)(export )?AWS_REGION=/.test(line));
      expect(region, file).toBeGreaterThanOrEqual(0);
      expect(region, file).toBeLessThanOrEqual(lines.findIndex((line) => line.includes('cdk bootstrap')));
    }
  });

  it('the signing key gets the key of the stage after the stack that has it', () => {
    const keyed = documents.filter((file) => commandsOf(file).some((line) => line.includes('--kms-key-id')));
    expect(keyed).toContain('docs/operating.md');
    for (const file of keyed) {
      const blocks = [...read(file).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
      for (const block of blocks.filter((text) => text.includes('--kms-key-id')))
        expect(block.indexOf('--kms-key-id'), file).toBeGreaterThan(block.indexOf('npm run deploy'));
      expect(blocks.filter((text) => text.includes('--kms-key-id')).join()).toContain('npm run deploy');
    }
  });

  it('the runbook imports every resource that must not be lost, by its logical id', () => {
    const [, section = ''] = read('docs/runbook.md').split('### The state stack is lost');
    const [, mapping = '{}'] = /```json\n(.*?)```/s.exec(section) ?? [];
    expect(Object.keys(JSON.parse(mapping)).toSorted()).toEqual(
      Object.keys(JSON.parse(read('lib/stateful-resources.json'))).toSorted(),
    );
  });
});
