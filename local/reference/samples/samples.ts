import type { Operation } from '../../../shared/operations/operation.ts';
import { curl } from './curl.ts';
import { python } from './python.ts';
import { sampleSteps } from './steps.ts';
import { typeScript } from './typescript.ts';

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** A complete program for the recorded call of an operation. */
export function codeSamples(operation: Operation, serverUrl: string): readonly CodeSample[] {
  const steps = sampleSteps(operation);
  return [
    { lang: 'shell', label: 'curl', source: curl(steps, serverUrl) },
    { lang: 'typescript', label: 'TypeScript', source: typeScript(steps, serverUrl) },
    { lang: 'python', label: 'Python', source: python(steps, serverUrl) },
  ];
}
