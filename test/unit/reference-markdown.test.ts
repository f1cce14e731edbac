import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { documentNames, guideNames } from '../../local/reference/guides.ts';
import { indexOf } from '../../local/reference/markdown.ts';
import { serveReference } from '../../local/reference/serve.ts';
import { textFiles } from '../../local/reference/site.ts';
import { recordedCall } from '../../shared/openapi/examples.ts';
import { problemCodes, problems } from '../../shared/operations/problems.ts';
import { operations } from '../../shared/operations/registry.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { documentedInput } from '../support/openapi-inputs.ts';

const files = textFiles('https://api.example.com');
const page = (name: string): string => files.get(name)?.toString() ?? '';
const linksOf = (markdown: string) => [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
const blocksOf = (markdown: string) => markdown.match(/^```[\s\S]*?^```$/gm) ?? [];

describe('llms.txt', () => {
  it('leads to a page for every guide and every operation, and every link exists', () => {
    const links = linksOf(page('llms.txt'));
    expect(links.filter((target) => !files.has(target))).toEqual([]);
    for (const name of guideNames) expect(links).toContain(`guides/${name}.md`);
    for (const { id } of operations) expect(links).toContain(`operations/${id}.md`);
  });

  it('says where the variables of the samples come from', () => {
    const used = [...page('llms-full.txt').matchAll(/GATELINE_[A-Z_]+/g)].map(([name]) => name);
    expect([...new Set(used)].sort()).toEqual(['GATELINE_API_KEY', 'GATELINE_NEW_SSO_TOKEN', 'GATELINE_SSO_TOKEN']);
    for (const name of used) expect(page('llms.txt')).toContain(`export ${name}=`);
  });

  it('at the root it leads to the same pages below /docs', () => {
    expect(linksOf(indexOf('docs/'))).toEqual(linksOf(page('llms.txt')).map((target) => `docs/${target}`));
  });
});

it('npm start serves llms.txt at its root, and every page that it names, without a network', async () => {
  let url = '';
  const serve = serveReference(() => url, '/nowhere');
  const server = createServer((request, response) => {
    if (!serve(request, response)) response.writeHead(421).end();
  });
  url = `http://127.0.0.1:${await listen(server, 0)}`;
  try {
    const index = await fetch(`${url}/llms.txt`);
    expect(index.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    const links = linksOf(await index.text()).filter((target) => target.endsWith('.md'));
    expect(links.length).toBeGreaterThan(operations.length);
    for (const target of links) {
      const served = await fetch(`${url}/${target}`);
      expect(served.headers.get('Content-Type'), target).toBe('text/markdown; charset=utf-8');
      expect(served.status, target).toBe(200);
    }
    expect((await fetch(`${url}/v1/events`)).status).toBe(421);
  } finally {
    await closeServer(server);
  }
});

describe('the guides as Markdown', () => {
  it.each(documentNames)('%s: its code blocks are those that the tests run, and its links exist', (name) => {
    const source = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
    expect(blocksOf(page(`${name}.md`))).toEqual(blocksOf(source));
    const links = linksOf(page(`${name}.md`).replaceAll(/^```[\s\S]*?^```$/gm, ''));
    const own = links.filter((target) => !/^(https?:|#)/.test(target));
    const missing = own.filter((target) => !files.has(new URL(target, `file:///${name}`).pathname.slice(1)));
    expect(missing).toEqual([]);
  });
});

describe('errors.md', () => {
  it('lists every code with its status and its meaning, and llms.txt leads to it', () => {
    for (const code of problemCodes)
      expect(page('errors.md')).toContain(
        `| \`${code}\` | ${problems[code].status} | \`${problems[code].type}\` | ${problems[code].meaning} |`,
      );
    expect(linksOf(page('llms.txt'))).toContain('errors.md');
  });
});

describe('llms-full.txt', () => {
  it('has the text of every page', () => {
    const pages = [...files.keys()].filter((name) => name.endsWith('.md') && name !== 'index.md');
    expect(pages).toEqual(expect.arrayContaining(['versioning.md', 'errors.md', 'operations/record-scan.md']));
    for (const name of pages) expect(page('llms-full.txt')).toContain(page(name));
    expect(linksOf(page('llms.txt'))).toContain('llms-full.txt');
  });
});

describe('the reference as Markdown', () => {
  it.each(operations)(
    '$id: every parameter and field of the body has a description, its default and its limits',
    (operation) => {
      const { id, output } = operation;
      const text = page(`operations/${id}.md`);
      expect(text).toContain(`## Response (${output.status})`);
      const [before = ''] = text.split('## Response');
      expect(before.match(/^- `[^`]+` \([^)]*\): *$/gm) ?? []).toEqual([]);
      const { query } = documentedInput(operation);
      for (const [name, schema] of Object.entries(fieldsOf(query.properties))) {
        const { default: value, maximum } = fieldsOf(schema);
        const line = text.split('\n').find((one) => one.startsWith(`- \`${name}\` (`));
        if (value !== undefined && value !== null) expect(line).toContain(`default ${JSON.stringify(value)}`);
        if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) expect(line).toContain(`${maximum}`);
      }
    },
  );

  it.each(operations.filter(({ id }) => id.startsWith('create-')))(
    '$id: a value of the body that may be left out, and cannot be null, says its default',
    (operation) => {
      const body = documentedInput(operation).body('application/json');
      const required = Array.isArray(body.required) ? body.required : [];
      const isValue = (schema: unknown) =>
        ['integer', 'number', 'boolean', 'string'].includes(String(fieldsOf(schema).type));
      // dry_run is sent in the query or in the body, so neither has a default.
      const values = Object.entries(fieldsOf(body.properties)).filter(
        ([name, schema]) => name !== 'dry_run' && !required.includes(name) && isValue(schema),
      );
      expect(values.filter(([, schema]) => !('default' in fieldsOf(schema))).map(([name]) => name)).toEqual([]);
      for (const [name] of values) {
        expect(page(`operations/${operation.id}.md`)).toMatch(new RegExp(`^- \`${name}\` \\([^)]*default `, 'm'));
      }
    },
  );

  it.each(operations)('$id: parameters, body, response and errors', ({ id, ...operation }) => {
    const text = page(`operations/${id}.md`);
    const { params, query, body } = operation.input;
    for (const name of [params, query, body].flatMap(({ entries }) => Object.keys(entries)))
      expect(text).toContain(`- \`${name}\` (`);
    for (const code of operation.output.problems) expect(text).toContain(`- \`${code}\` (`);
    const recorded = recordedCall({ id, ...operation });
    // The description of the API itself and the answer of health have no closed list of fields.
    if (recorded === undefined || operation.auth.kind === 'public') return;
    const { mediaType } = operation.output;
    if (mediaType === 'application/json')
      for (const name of Object.keys(recorded.response)) expect(text).toContain(`- \`${name}\` (`);
    else expect(text).toContain(`A file: \`${mediaType}\`.`);
    expect(text).not.toMatch(/undefined|\[object Object\]|\(any/);
  });
});
