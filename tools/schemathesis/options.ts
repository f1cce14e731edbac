import { parseArgs } from 'node:util';
import { operations } from '../../shared/operations/registry.ts';

export interface SchemathesisOptions {
  /** A running service; without it, the command starts one on this machine. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly ssoToken: string | undefined;
  /** The generated requests per operation and phase. */
  readonly examples: string;
  readonly seed: string;
  /** The ids of the operations to test; all if there are none. */
  readonly only: readonly string[];
}

export function readOptions(args: string[]): SchemathesisOptions | { readonly refusal: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        'sso-token': { type: 'string' },
        examples: { type: 'string', default: '25' },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', multiple: true, default: [] },
      },
    });
    const { url, key, examples, seed, only } = values;
    if ((url === undefined) !== (key === undefined)) return { refusal: 'Send --url and --key together.' };
    if (![examples, seed].every((text) => /^[1-9]\d{0,5}$/.test(text)))
      return { refusal: '--examples and --seed must be numbers from 1 to 999999.' };
    const unknown = only.find((name) => !operations.some(({ id }) => id === name));
    if (unknown !== undefined) return { refusal: `There is no operation ${unknown}.` };
    return { url, key, ssoToken: values['sso-token'], examples, seed, only };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}
