import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tags } from '../../shared/operations/tags.ts';

/** A generator of clients and the program that uses what it generates. */
export interface Client {
  readonly name: string;
  /** The program below `programs`. */
  readonly program: string;
  /** The commands that must exist, or the client is skipped. */
  readonly needs: readonly string[];
  /** The commands that install the generator and generate the client, run in the client's folder. */
  readonly steps: readonly (readonly [command: string, ...args: string[]])[];
  /** The command that runs the program. */
  readonly run: readonly [command: string, ...args: string[]];
}

const bin = (name: string): string => join('node_modules', '.bin', name);
const install = (...packages: string[]) =>
  ['npm', 'install', '--no-audit', '--no-fund', '--silent', ...packages] as const;
const compile = [bin('tsc'), '--noEmit', '-p', '.'] as const;
const typeScript = ['typescript@5.9.3', '@types/node@24.19.2', 'tsx@4.23.15'];
const python = join('environment', 'bin', 'python');

const openApiGenerator = '7.25.0';
/** The generator names a class after each tag. */
const apiNames = Object.keys(tags).map((tag) =>
  tag.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
);

/** Exact versions, so a new version of a generator does not change what this test says about the document. */
export const clients: readonly Client[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    program: 'openapi-fetch.ts',
    needs: ['npm'],
    steps: [
      install('openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', ...typeScript),
      [bin('openapi-typescript'), 'openapi.json', '-o', 'generated/schema.d.ts'],
      compile,
    ],
    run: [bin('tsx'), 'openapi-fetch.ts'],
  },
  {
    name: '@hey-api/openapi-ts',
    program: 'hey-api.ts',
    needs: ['npm'],
    steps: [
      install('@hey-api/openapi-ts@0.99.0', ...typeScript),
      [bin('openapi-ts'), '-i', 'openapi.json', '-o', 'generated', '-c', '@hey-api/client-fetch'],
      compile,
    ],
    run: [bin('tsx'), 'hey-api.ts'],
  },
  {
    name: 'openapi-generator (typescript-fetch)',
    program: 'openapi-generator.ts',
    needs: ['npm', 'java', 'mvn'],
    steps: [
      install(...typeScript),
      [
        'mvn',
        '--quiet',
        'dependency:copy',
        `-Dartifact=org.openapitools:openapi-generator-cli:${openApiGenerator}`,
        '-DoutputDirectory=generator',
      ],
      [
        'java',
        '-jar',
        join('generator', `openapi-generator-cli-${openApiGenerator}.jar`),
        'generate',
        '--input-spec=openapi.json',
        '--generator-name=typescript-fetch',
        '--output=generated',
        // The generator writes a class that calls webhooks, and imports nothing in it; the models of the events are complete. It uses the
        // models of forms, and leaves them out unless it is asked for them.
        `--global-property=models,supportingFiles,skipFormModel=false,apis=${apiNames.join(':')}`,
      ],
      compile,
    ],
    run: [bin('tsx'), 'openapi-generator.ts'],
  },
  {
    name: 'openapi-python-client',
    program: 'python-client.py',
    needs: ['python3'],
    steps: [
      ['python3', '-m', 'venv', 'environment'],
      [python, '-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1'],
      [
        python,
        '-m',
        'openapi_python_client',
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'generated',
        '--overwrite',
      ],
    ],
    run: [python, 'python-client.py'],
  },
];

export function isInstalled(command: string): boolean {
  return existsSync(command) || spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
