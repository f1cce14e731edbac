import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleAhead } from '../../lib/bundle.ts';
import { functionsFolder, handlerModules } from '../../lib/handlers.ts';
import { batchClientConfig, openTable } from '../../shared/data/table/table.ts';
import { operations } from '../../shared/operations/registry.ts';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { fillDemo } from '../demo/fill.ts';
import { seedDemo } from '../demo/organisations.ts';
import { demoSsoFile, demoTokens, seedDemoSso } from '../demo/sso.ts';
import { writeLocalConnection } from './connection-file.ts';
import { localAssembly } from './local-assembly.ts';
import { localVariables } from './local-variables.ts';
import { printLog } from './print-log.ts';
import { writePrivately } from './private-file.ts';
import type { Settings } from './settings.ts';
import { welcome } from './start-message.ts';

/** All that the synthesized stack follows from: code, configuration and the exact packages. */
const stackSources = ['lib', 'shared', 'functions', 'cdk.json', 'package-lock.json'].map((name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url)),
);

/** Loaded only when it is needed: the CDK alone takes seconds, in which the handlers are bundled. */
async function synthesizeStack(folder: string): Promise<void> {
  const [{ synthesize }, { stageConfig }] = await Promise.all([
    import('../../lib/synthesize.ts'),
    import('../../lib/stage-config.ts'),
    bundleAhead(handlerModules(operations), [functionsFolder]),
  ]);
  synthesize(folder, { config: stageConfig('dev') });
}

/** The longest part of a first start: who waits is told for what. */
const fillDemoAloud: typeof fillDemo = (put) => {
  console.log('Filling the demo …');
  return fillDemo(put);
};

/** Runs the whole service on this machine, from the same template that CloudFormation would get. */
export async function startGateline({ port, data, demo, localFolder }: Settings): Promise<Cloud> {
  const cloud = await startCloud({
    assemblyDir: localAssembly({ sources: stackSources, folder: localFolder, synthesize: synthesizeStack }),
    stackName: 'Gateline-dev',
    port,
    data,
    ...(demo === 'full' && { fillTable: fillDemoAloud }),
    variables: localVariables,
    onLog: printLog,
    onLost: giveUp,
  });

  const { accessKeyId, secretAccessKey, region } = cloud.operator;
  const connection = {
    region,
    table: tableName(cloud),
    endpoint: cloud.endpoints.dynamodb,
    variables: cloud.variables,
    accessKeyId,
    secretAccessKey,
  };
  const table = openTable(connection.table, {
    ...batchClientConfig,
    region,
    endpoint: connection.endpoint,
    credentials: { accessKeyId, secretAccessKey },
  });
  const organisations = await seedDemo(table, data === 'memory' ? undefined : join(data.folder, 'demo-keys.json'));
  table.client.destroy();

  const nowUnix = Math.floor(Date.now() / 1000);
  const sso = await seedDemoSso(table, organisations[0]?.org_id ?? '', nowUnix);

  const runFile = join(localFolder, 'run.json');
  const adminFile = join(localFolder, 'admin.json');
  writeLocalConnection(adminFile, connection);
  const ssoFile = join(localFolder, demoSsoFile);
  writePrivately(ssoFile, sso);
  writePrivately(runFile, { url: cloud.url, pid: process.pid, organisations, sso: demoTokens(sso, nowUnix) });
  console.log(welcome(cloud.url, organisations));
  return {
    ...cloud,
    async stop() {
      if (isOurs(runFile)) for (const file of [runFile, adminFile, ssoFile]) rmSync(file, { force: true });
      await cloud.stop();
    },
  };
}

function tableName({ template }: Cloud): string {
  const [table] = template.ofType('AWS::DynamoDB::GlobalTable');
  if (table === undefined) throw new Error('The stack has no table.');
  return table.ref;
}

/** Another run may have written its own since. */
function isOurs(runFile: string): boolean {
  return existsSync(runFile) && JSON.parse(readFileSync(runFile, 'utf8')).pid === process.pid;
}

/** A service without its table is worse than none: it answers, and every answer is an error. */
function giveUp(reason: string): void {
  console.error(reason);
  process.exit(1);
}
