/** What `npm run nightly` runs: every suite that is not in `npm test`. This is the only list of them. */
export interface Suite {
  readonly name: string;
  /** The npm script that runs it. */
  readonly script: string;
  /** What it takes on two quiet cores, roughly. Shards are balanced by it. */
  readonly minutes: number;
  /** Test files, which one process of vitest runs; or commands, each with the arguments of its script. */
  readonly units: { readonly files: readonly string[] } | { readonly commands: Readonly<Record<string, string[]>> };
}

/** Finds the test files of a configuration of vitest. */
export type ListFiles = (config: string) => readonly string[];

const once = (args: string[] = []) => ({ commands: { all: args } });

/** One seed for the whole night. The suites that choose for themselves read it from the environment. */
export function nightlySuites(listFiles: ListFiles, seed: number): readonly Suite[] {
  const simulation = (...args: string[]) => [...args, '--seed', String(seed)];
  return [
    // Also, in full, all that npm test samples, on the model of the table.
    {
      name: 'faults',
      script: 'test:faults',
      minutes: 45,
      units: { files: listFiles('vitest.faults.config.ts') },
    },
    // The seed draws the files.
    {
      name: 'database',
      script: 'test:database',
      minutes: 15,
      units: { files: listFiles('vitest.database.config.ts') },
    },
    { name: 'large', script: 'test:large', minutes: 40, units: { files: listFiles('vitest.large.config.ts') } },
    { name: 'browser', script: 'test:browser', minutes: 30, units: { files: listFiles('vitest.browser.config.ts') } },
    { name: 'model', script: 'test:model', minutes: 20, units: once() },
    { name: 'season', script: 'test:season', minutes: 15, units: once() },
    {
      name: 'schemathesis',
      script: 'test:schemathesis',
      minutes: 40,
      units: once(['--seed', String(seed)]),
    },
    { name: 'clients', script: 'test:clients', minutes: 10, units: once() },
    { name: 'stripe', script: 'test:stripe', minutes: 2, units: once() },
    { name: 'deploy', script: 'test:deploy', minutes: 30, units: once() },
    { name: 'soak', script: 'test:soak', minutes: 20, units: once() },
    {
      name: 'simulations',
      script: 'simulate',
      minutes: 10,
      units: {
        commands: {
          'on-sale': simulation('on-sale', '--buyers', '2000'),
          'on-sale-pool': simulation('on-sale', '--buyers', '2000', '--pool'),
          'on-sale-seated': simulation('on-sale', '--buyers', '2000', '--seated'),
          'on-sale-phases': simulation('on-sale', '--buyers', '2000', '--phases'),
          gates: simulation('gates'),
          ceilings: simulation('ceilings'),
        },
      },
    },
    { name: 'bench', script: 'bench', minutes: 30, units: once() },
  ];
}

/** The scripts `test:*` that no night runs, and why. */
export const notNightly: Readonly<Record<string, string>> = {
  'test:stripe-account': 'It needs the key of an account (STRIPE_TEST_KEY).',
};

export const unitNames = ({ units }: Suite): readonly string[] =>
  'files' in units ? units.files : Object.keys(units.commands);
