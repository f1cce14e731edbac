import { exampleId, exampleName, exampleParams, takesBody } from './example.ts';
import type { Names } from './names.ts';
import type { OperationRequest, ResponseSchema } from './request.ts';

/** A first test of the handler. The contract tests do the rest. */
export function testFile(request: OperationRequest, names: Names, response: ResponseSchema): string {
  const { resource, id, params } = request;
  const { entry, kind, words } = names;
  const sent = [
    ...(params.length > 0 ? [`params: ${exampleParams(request)}`] : []),
    ...(takesBody(names) ? [`body: { name: ${exampleName} }`] : []),
  ].join(', ');
  return `import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/${resource}/${id}.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { ${entry} } from '../../../shared/operations/${resource}/${id}.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('${id}', () => {
  it('${id} returns ${expectedWords(kind, words)}', async () => {
    const answer = await callHandler(${entry}, handle, { ${sent} }, { table, orgId });
    expect(answer).toMatchObject(${expected(names, response)});
  });
${params.length === 0 ? '' : notFoundCase(request, names, sent)}
});
`;
}

function expectedWords(kind: Names['kind'], words: string): string {
  if (kind === 'list') return `every ${words} of the organisation`;
  return kind === 'delete' ? `the id of the deleted ${words}` : `the ${words}`;
}

function expected({ kind, idField }: Names, response: ResponseSchema): string {
  const id = exampleId(idField);
  if (kind === 'delete') return `{ ${idField}: ${id}, deleted: true }`;
  const ownFields = `{ ${idField}: ${id}, name: ${exampleName} }`;
  const resource = response.kind === 'used' ? `{ ${response.field}: expect.anything() }` : ownFields;
  return kind === 'list' ? `{ data: [${resource}] }` : resource;
}

function notFoundCase({ id }: OperationRequest, { entry, words }: Names, sent: string): string {
  return `
  it('${id} does not find the ${words} of another organisation', async () => {
    const call = callHandler(${entry}, handle, { ${sent} }, { table, orgId: 'org_other' });
    await expect(call).rejects.toMatchObject({ code: 'resource_not_found' });
  });`;
}
