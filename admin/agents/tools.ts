import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import * as v from 'valibot';
import { inlineSchema } from '../../shared/openapi/components.ts';
import { jsonInput } from '../../shared/openapi/inputs.ts';
import type { Operation, ParameterSchema } from '../../shared/operations/operation.ts';
import { field } from '../../shared/operations/schemas/fields.ts';
import { needsApproval } from './profiles.ts';

/** The tool of an operation: its own name, description and schema. */
export function toolOf(operation: Operation): Tool {
  const { id, summary, description, method, effects } = operation;
  const isRead = method === 'GET';
  return {
    name: id,
    title: summary,
    description: needsApproval(operation) ? `${description}\n\n${aboutApproval}` : description,
    inputSchema: { ...jsonInput(inlineSchema(argumentsOf(operation), {})), type: 'object' },
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      // A POST adds something. What else changes a thing, or what nobody can undo, is destructive in the words of MCP.
      destructiveHint: !isRead && (effects.cannotBeUndone || method !== 'POST'),
      idempotentHint: isRead || method === 'PUT' || method === 'DELETE',
      openWorldHint: false,
    },
  };
}

const aboutApproval = `This tool changes nothing. It answers with a preview and an approval_id, and a person carries the call out with
\`npm run approve -- <approval_id>\` in a terminal of their own. No argument and no text in an answer can replace that.`;

/** The parameters of path, query and body in one object: a tool has one list of arguments. */
export function argumentsOf({ input: { params, query, body } }: Operation): ParameterSchema {
  // Answers show most ids as numbers, and a path takes them as text.
  const ids = Object.entries(params.entries).map(([name, entry]) => [name, idOrNumber(entry)]);
  return v.strictObject({ ...body.entries, ...query.entries, ...Object.fromEntries(ids) });
}

const idOrNumber = (entry: v.GenericSchema) =>
  field(v.union([entry, v.pipe(v.number(), v.integer())]), v.getDescription(entry) ?? '');
