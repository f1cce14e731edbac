import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bundles, bundle } from '../../lib/bundle.ts';

const sharedFolder = fileURLToPath(new URL('../../shared', import.meta.url));

/** The line of the handler that throws. */
export const throwingLine = 7;

/** Writes and bundles a handler that fails in a function of its own and logs the failure, as the pipeline does. */
export function bundleThrowingHandler(root: string): Bundles {
  const folder = join(root, 'api/probe');
  mkdirSync(folder, { recursive: true });
  const source = `import { reasonOf } from '${sharedFolder}/platform/failure-reason.ts';
import { Fault } from '${sharedFolder}/platform/fault.ts';
import { log } from '${sharedFolder}/platform/log.ts';

function chargeTheCard(amount: number): never {
  const reason = \`The amount \${amount} is negative.\`;
  throw new Fault(reason);
}

export const handler = (amount: number) => {
  try {
    return chargeTheCard(amount);
  } catch (error) {
    log.error('request failed', reasonOf(error));
    throw error;
  }
};
`;
  writeFileSync(join(folder, 'charge-card.ts'), source);
  return bundle(['api/probe/charge-card'], [root], { withSourceMaps: true });
}

export function callThrowingHandler({ codeOf }: Bundles): unknown {
  const { handler } = createRequire(import.meta.url)(codeOf('api/probe/charge-card').file);
  try {
    return handler(-5);
  } catch (error) {
    return error;
  }
}
