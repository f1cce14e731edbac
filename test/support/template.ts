import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { RawStack } from '../../local/cloud/template/assembly.ts';
import type { FlatResource } from '../../local/cloud/template/flatten.ts';
import { rehearsedStack } from '../../tools/rehearsal/rehearsed-stack.ts';
import type { AssemblyName } from './assemblies.ts';
import { assembly } from './assembly.ts';

export type Resource = FlatResource;

/** An operation or a worker: both have their own function. */
interface Deployed {
  readonly id: string;
}

export interface Synthesized {
  readonly assemblyDir: string;
  /** The resources of all stacks. References between stacks lead to the resource itself. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** Every stack on its own, nested ones too. */
  readonly stacks: readonly RawStack[];
  /** The resources of a type, with their logical ids. */
  ofType(type: string): (Resource & { logicalId: string })[];
  /** The text of the bundle of a function. */
  bundleOf(deployed: Deployed): string;
  functionOf(deployed: Deployed): Resource & { logicalId: string };
}

const read = new Map<AssemblyName, Synthesized>();

/** The stacks of a stage as CloudFormation sees them, synthesized once for the whole run and read once by each worker. */
export function readStack(name: AssemblyName): Synthesized {
  const stack = read.get(name) ?? readStacks(assembly(name).assemblyDir);
  read.set(name, stack);
  return stack;
}

export function readStacks(assemblyDir: string): Synthesized {
  const { template, stacks, ofType } = rehearsedStack(assemblyDir);
  const functionOf: Synthesized['functionOf'] = ({ id }) => {
    const found = ofType('AWS::Lambda::Function').filter(({ Properties }) =>
      String(Properties.Description).startsWith(`${id}:`),
    );
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} functions serve ${id}.`);
    return only;
  };
  return {
    assemblyDir,
    resources: new Map(Object.entries(template.Resources)),
    stacks,
    ofType,
    functionOf,
    bundleOf(deployed) {
      const { Code, Handler } = functionOf(deployed).Properties;
      const { S3Key } = v.parse(v.looseObject({ S3Key: v.string() }), Code);
      const file = `${String(Handler).split('.')[0]}.js`;
      return readFileSync(join(assemblyDir, `asset.${S3Key.replace('.zip', '')}`, file), 'utf8');
    },
  };
}
