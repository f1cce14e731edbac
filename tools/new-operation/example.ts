import type { Names } from './names.ts';
import type { OperationRequest } from './request.ts';

/** The placeholder answers for one object of each organisation, whose id can be told from the organisation's. */
export function exampleId(param: string): string {
  return `\`${wordsOf(param).replaceAll(' ', '-')}-of-\${orgId}\``;
}

/** `event_id` → `event`: what a parameter identifies. */
export function wordsOf(param: string): string {
  return param.replace(/_id$/, '').replaceAll('_', ' ');
}

/** `{ gadget_id: `gadget-of-${orgId}` }`, or undefined where the path has no parameters. */
export function exampleParams({ params }: OperationRequest): string | undefined {
  if (params.length === 0) return undefined;
  return `{ ${params.map((param) => `${param}: ${exampleId(param)}`).join(', ')} }`;
}

export function takesBody({ kind }: Names): boolean {
  return kind === 'create' || kind === 'change';
}

export const exampleName = "'Example'";
