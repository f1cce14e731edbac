import type { Operation } from '../../../shared/operations/operation.ts';
import { type SampleStep, TakenId, takenIds } from './steps.ts';

export interface Header {
  readonly name: string;
  /** The environment variable with the value, so no code contains a key. */
  readonly variable: string;
  readonly prefix: string;
}

/** How a language writes a value that an earlier step returned. */
export type WriteId = (id: TakenId) => string;

export function headersOf({ operation, isOfFan }: SampleStep): readonly Header[] {
  return [
    ...(operation.auth.kind === 'public'
      ? []
      : [{ name: 'Authorization', variable: 'GATELINE_API_KEY', prefix: 'Bearer ' }]),
    ...(isOfFan ? [{ name: 'X-SSO-Token', variable: fanVariable(operation), prefix: '' }] : []),
  ];
}

/** What is added to a time that an earlier step returned, after it. */
export function addition({ plusSeconds }: Pick<TakenId, 'plusSeconds'>): string {
  if (plusSeconds === undefined) return '';
  return plusSeconds < 0 ? ` - ${-plusSeconds}` : ` + ${plusSeconds}`;
}

/** What links and unlinks does so to another fan: the other samples need the link of theirs. */
const fanVariable = ({ auth }: Operation): string =>
  auth.ssoUser === 'signed_in' ? 'GATELINE_NEW_SSO_TOKEN' : 'GATELINE_SSO_TOKEN';

export function pathOf({ operation, params, query }: SampleStep, write: WriteId): string {
  const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name] ?? '';
    return value instanceof TakenId ? write(value) : encodeURIComponent(value);
  });
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The body as JSON, with an expression of the language for each id. */
export function bodyOf({ body }: SampleStep, write: WriteId): string {
  const ids: TakenId[] = [];
  const json = JSON.stringify(
    body,
    (_key, value) => {
      if (!(value instanceof TakenId)) return value;
      ids.push(value);
      return `id ${ids.length - 1} of an earlier step`;
    },
    2,
  );
  return ids.reduce((text, id, index) => text.replace(`"id ${index} of an earlier step"`, () => write(id)), json);
}

/** The ids of this step's response that other steps need. */
export function takenFrom(step: SampleStep, steps: readonly SampleStep[]): readonly TakenId[] {
  const taken = steps.flatMap(takenIds).filter(({ from }) => from === step.operation.id);
  return [...new Map(taken.map((id) => [id.name, id])).values()];
}

/** All headers that any step needs. */
export const allHeaders = (steps: readonly SampleStep[]): readonly Header[] => [
  ...new Map(steps.flatMap(headersOf).map((header) => [header.name, header])).values(),
];

/** Whether the last step downloads a file instead of JSON. */
export const endsWithFile = (steps: readonly SampleStep[]): boolean =>
  steps.at(-1)?.operation.output.mediaType !== 'application/json';
