import { resolve } from 'node:path';
import { testClients } from './test-clients/run.ts';

/** Generates clients with the usual generators and uses each on the local run: `npm run test:clients`, `-- python` for one. */
process.exit((await testClients(resolve('.local/clients'), process.argv[2])) ? 0 : 1);
