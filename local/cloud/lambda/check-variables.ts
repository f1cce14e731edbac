import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variablesReadBy } from '../../../lib/variables.ts';
import { CloudError } from '../cloud-error.ts';
import type { FunctionDefinition } from './function-definition.ts';

/** Reports a variable that the code reads and the template does not set at the start, instead of at the first request. */
export function checkVariables(functions: readonly FunctionDefinition[]): void {
  for (const { logicalId, codeFolder, handler, variables } of functions) {
    const [module = ''] = handler.split('.');
    const missing = variablesReadBy(readFileSync(join(codeFolder, `${module}.js`), 'utf8')).filter(
      (name) => !(name in variables),
    );
    if (missing.length > 0) {
      throw new CloudError(`The function ${logicalId} reads ${missing.join(', ')}, which the template does not set`);
    }
  }
}
