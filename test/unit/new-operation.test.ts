import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { editRegistry, editTags } from '../../tools/new-operation/edits.ts';
import { namesOf } from '../../tools/new-operation/names.ts';
import { type OperationRequest, readRequest } from '../../tools/new-operation/request.ts';
import { responseSchema } from '../../tools/new-operation/response-schema.ts';

/** So that an operation that is added later changes nothing here. */
const known = [
  { id: 'retrieve-member', resource: 'members', method: 'GET', paths: ['/v1/members/{membership_member_id}'] },
  { id: 'set-tracking-code', resource: 'members', method: 'PUT', paths: ['/v1/members/{membership_member_id}/code'] },
  { id: 'retrieve-event', resource: 'events', method: 'GET', paths: ['/v1/events/{event_id}'] },
  { id: 'retrieve-rate-limit', resource: 'rate-limit', method: 'GET', paths: ['/v1/rate_limit'] },
] as const;
const read = (line: string) => readRequest(line.split(' '), known);

function accepted(line: string): OperationRequest {
  const request = read(line);
  if ('refusal' in request) throw new Error(request.refusal);
  return request;
}

describe('new-operation refuses', () => {
  it.each([
    ['members', /^Usage: npm run new-operation/],
    ['gadgets retrieve-gadget GET /v1/gadgets more', /^Usage: npm run new-operation/],
    [
      'Gadgets retrieve-gadget GET /v1/gadgets',
      'The resource Gadgets is not in kebab-case, such as members or rate-limit.',
    ],
    [
      'gadgets retrieveGadget GET /v1/gadgets',
      'The operation id retrieveGadget is not a verb and a noun in kebab-case, such as retrieve-member.',
    ],
    [
      'gadgets gadget GET /v1/gadgets',
      'The operation id gadget is not a verb and a noun in kebab-case, such as retrieve-member.',
    ],
    [
      'gadgets list-gadgets get /v1/gadgets/{gadget_id}',
      'The path /v1/gadgets/{gadget_id} names one object, and list-gadgets lists several: end the path with the collection, such as /v1/members.',
    ],
    ['gadgets retrieve-gadget FETCH /v1/gadgets', 'The method FETCH is not one of GET, POST, PUT, PATCH, DELETE.'],
    [
      'gadgets retrieve-gadget GET /gadgets/{gadget_id}',
      'The path /gadgets/{gadget_id} is not /v1/ with segments in snake_case, such as /v1/members/{membership_member_id}.',
    ],
    [
      'gadgets retrieve-gadget GET /v1/gadgets/{id}/parts/{id}',
      'The path /v1/gadgets/{id}/parts/{id} has the parameter id twice.',
    ],
    [
      'members retrieve-member GET /v1/gadgets',
      'The operation retrieve-member exists: shared/operations/members/retrieve-member.ts.',
    ],
    [
      'members find-member GET /v1/members/{id}',
      'GET /v1/members/{id} is the operation retrieve-member already: shared/operations/members/retrieve-member.ts.',
    ],
    [
      'events list-event-seats GET /v1/events/{id}/seats',
      'The parameter {id} is called {event_id} in /v1/events/{event_id}: use that name, because API Gateway allows one parameter name at a position.',
    ],
  ])('%s', (line, refusal) => {
    expect(read(line)).toEqual({ refusal: typeof refusal === 'string' ? refusal : expect.stringMatching(refusal) });
  });
});

describe('new-operation names', () => {
  it.each([
    ['gadgets list-gadgets GET /v1/gadgets', 'list', 'gadget', 'listGadgets'],
    ['countries list-countries GET /v1/countries', 'list', 'country', 'listCountries'],
    ['orders retrieve-order GET /v1/orders/{order_id}', 'retrieve', 'order', 'retrieveOrder'],
    ['events list-event-seats GET /v1/events/{event_id}/seats', 'list', 'event-seat', 'listEventSeats'],
    ['orders cancel-order POST /v1/orders/{order_id}/cancel', 'create', 'order', 'cancelOrder'],
    ['orders delete-order DELETE /v1/orders/{order_id}', 'delete', 'order', 'deleteOrder'],
  ])('%s', (line, kind, noun, entry) => {
    expect(namesOf(accepted(line))).toMatchObject({ kind, noun, entry });
  });
});

describe('new-operation schema of the response', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const suspend = 'members suspend-member POST /v1/members/{membership_member_id}/suspend';
  const schemaFor = (line: string) => {
    const request = accepted(line);
    return responseSchema(root, request, namesOf(request));
  };

  it('the command asks with --uses where a schema or a record of the noun exists', () => {
    expect(schemaFor(suspend)).toEqual({
      refusal:
        'Does suspend-member return what shared/operations/schemas/member.ts describes? Add --uses member (or --uses with another name in shared/operations/schemas), or --uses none for a schema of its own.',
    });
    const gate = 'gates retrieve-gate GET /v1/gates/{gate_id}';
    expect(schemaFor(gate)).toEqual({
      refusal: expect.stringContaining('what shared/domain/gates/gate.ts describes'),
    });
    const { files } = { files: {}, ...schemaFor(`${gate} --uses gate`) };
    expect(Object.keys(files)).toEqual(['shared/operations/schemas/gate.ts', 'shared/mappers/gate.ts']);
    expect(Object.values(files)[1]).toContain("import type { GateRecord } from '../domain/gates/gate.ts';");
  });

  it('the command takes the schema that --uses names, in either place', () => {
    const used = { kind: 'used', noun: 'member', schema: 'Member', field: 'membership_member_id', files: {} };
    expect(schemaFor(`${suspend} --uses member`)).toEqual(used);
    expect(schemaFor(`--uses member ${suspend}`)).toEqual(used);
    expect(schemaFor(`${suspend} --uses none`)).toEqual({ kind: 'inline' });
  });

  it.each(['nobody', '', 'text'])('the command refuses --uses %s, which is no schema', (noun) => {
    expect(schemaFor(`${suspend} --uses ${noun}`)).toMatchObject({ refusal: expect.stringContaining('has no schema') });
  });

  it('the command writes files of its own for a new noun, and none for a deleted object', () => {
    expect(schemaFor('gadgets create-gadget POST /v1/gadgets')).toMatchObject({ kind: 'own' });
    expect(schemaFor('orders delete-order DELETE /v1/orders/{order_id}')).toEqual({ kind: 'inline' });
  });
});

describe('new-operation edits', () => {
  const registry =
    "import { retrieveMember } from './x.ts';\n\n[\n  retrieveMember,\n  setTrackingCode,\n  retrieveRateLimit,\n]";
  const edit = (line: string) => {
    const request = accepted(line);
    return editRegistry(registry, request, namesOf(request), known)
      .split('\n')
      .slice(3)
      .map((text) => text.trim());
  };

  it('the registry after the last operation of the resource', () => {
    const line = 'members delete-member DELETE /v1/members/{membership_member_id}';
    expect(edit(line)).toEqual([
      '[',
      'retrieveMember,',
      'setTrackingCode,',
      'deleteMember,',
      'retrieveRateLimit,',
      ']',
    ]);
  });

  it('the registry before the operations of the service for a new resource', () => {
    const line = 'gadgets list-gadgets GET /v1/gadgets';
    expect(edit(line)).toEqual(['[', 'retrieveMember,', 'setTrackingCode,', 'listGadgets,', 'retrieveRateLimit,', ']']);
  });

  it.each([
    ['gadgets', 'members'],
    ['zones', 'service'],
    ['access-rules', 'baskets'],
  ])('the tags with %s before %s', (resource, next) => {
    const text = "  baskets: 'B.',\n  members: 'M.',\n  'rate-limit': 'R.',\n  service: 'S.',\n";
    const request = accepted(`${resource} list-things GET /v1/things`);
    const lines = editTags(text, request, ['baskets', 'members', 'rate-limit', 'service']).split('\n');
    const at = lines.findIndex((line) => line.includes(resource));
    expect(lines[at + 1]?.trim()).toMatch(new RegExp(`^${next}:`));
  });

  it('stop at a file that has changed its form', () => {
    const request = accepted('gadgets list-gadgets GET /v1/gadgets');
    expect(() => editRegistry('', request, namesOf(request), known)).toThrow('Adapt tools/new-operation/edits.ts');
  });
});
