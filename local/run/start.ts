import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { batchClientConfig, openTable } from '../../shared/data/table/table.ts';
import { signerOf } from '../../shared/http/auth/sign-token.ts';
import { type Cloud, type CloudOptions, startCloud } from '../cloud/cloud.ts';
import type { FillTable } from '../cloud/dynamodb/put-items.ts';
import { fillDemo } from '../demo/fill.ts';
import { seedDemoOrganisations } from '../demo/organisations.ts';
import { demoSsoFile, demoTokens, seedDemoSso } from '../demo/sso.ts';
import { serveReference } from '../reference/serve.ts';
import { writeLocalConnection } from './connection-file.ts';
import { startControl } from './control.ts';
import { dataFormat } from './data-format.ts';
import { type StartShop, startDemoShops } from './demo-shop.ts';
import { startGoogleDouble } from './google-double.ts';
import { grantAdvice } from './grant-advice.ts';
import { localAssembly } from './local-assembly.ts';
import { localSigningKey } from './local-signing-key.ts';
import { localVariables } from './local-variables.ts';
import { storeLocalWallets } from './local-wallets.ts';
import { printLog } from './print-log.ts';
import { writePrivateFile } from './private-file.ts';
import { startPushDouble } from './push-double.ts';
import { explainEnd } from './run-end.ts';
import type { Settings } from './settings.ts';
import { startMessage } from './start-message.ts';
import { synthesizeStack } from './synthesize-stack.ts';
import { respondWhileStarting } from './while-starting.ts';

/** The inputs of the synthesized stack: code, configuration and the exact packages. */
const stackSources = ['lib', 'shared', 'functions', 'cdk.json', 'package-lock.json'].map((name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url)),
);

/** Of the checkout, as the stack is: runs with other folders, such as those of tests, share what one of them synthesized. */
const assemblies = fileURLToPath(new URL('../../.local', import.meta.url));

/** Long enough for a burst of a hundred requests, and much shorter than the time limits of clients. */
const longestWaitMs = 2_000;

/** Filling the demo is the longest part of a first start, so it prints a message. */
const fillDemoWithMessage =
  (nowMs: number): FillTable =>
  (put) => {
    console.log('Creating the demo data …');
    return fillDemo(nowMs)(put);
  };

/** Runs the whole service on this machine, from the template that CloudFormation would deploy. */
export async function startGateline(
  { port, data, demo, physics, localFolder }: Settings,
  {
    startShop,
    ...options
  }: Pick<CloudOptions, 'schedules' | 'onLog' | 'startsAtMs' | 'startDatabase'> & {
    readonly startShop?: StartShop | undefined;
  } = {},
): Promise<Cloud> {
  let signingKey = '';
  let url = '';
  const pushDouble = await startPushDouble(() => console.log('A phone was told that one of its passes has changed.'));
  // No phone accepts a pass of the local run, so Google knows none of them.
  const googleDouble = await startGoogleDouble(() => false);
  const cloud = await startCloud({
    assemblyDir: (restored) =>
      localAssembly({
        sources: stackSources,
        ...(restored && { variant: JSON.stringify(restored) }),
        folder: assemblies,
        synthesize: (folder) => synthesizeStack(folder, restored),
      }),
    port,
    data: data === 'memory' ? data : { ...data, format: dataFormat },
    ...(demo === 'full' && { fillTable: fillDemoWithMessage(options.startsAtMs ?? Date.now()) }),
    variables({ url, files }) {
      signingKey = localSigningKey(files);
      return {
        ...localVariables,
        API_ADDRESS: url,
        TOKEN_PUBLIC_KEYS: signerOf(signingKey).publicKey,
        APPLE_PUSH_URL: pushDouble.url,
        GOOGLE_WALLET_URL: googleDouble.url,
      };
    },
    longestWaitMs,
    physics,
    pages: serveReference(() => url, localFolder),
    whileStarting: respondWhileStarting,
    onLog: printLog,
    grantAdvice,
    onLost: exitWithError,
    ...options,
  });

  url = cloud.url;
  await storeLocalWallets(cloud);
  const docs_url = `${url}/docs/`;

  const { accessKeyId, secretAccessKey, region } = cloud.operator;
  const control = await startControl(cloud);
  const connection = {
    control: control.address,
    region,
    table: tableName(cloud),
    endpoint: cloud.endpoints.dynamodb,
    variables: cloud.variables,
    signingKey,
    accessKeyId,
    secretAccessKey,
  };
  const table = openTable(connection.table, {
    ...batchClientConfig,
    region,
    endpoint: connection.endpoint,
    credentials: { accessKeyId, secretAccessKey },
  });
  const organisations = await seedDemoOrganisations(
    table,
    signerOf(signingKey),
    data === 'memory' ? undefined : join(data.folder, 'demo-keys.json'),
    { nowMs: () => cloud.clock.now() },
  );
  table.client.destroy();

  const nowUnix = Math.floor(cloud.clock.now() / 1000);
  const [club, theatre] = organisations;
  const sso = await seedDemoSso(table, club?.org_id ?? '', nowUnix);

  const runFile = join(localFolder, 'run.json');
  const adminFile = join(localFolder, 'admin.json');
  writeLocalConnection(adminFile, connection);
  const ssoFile = join(localFolder, demoSsoFile);
  writePrivateFile(ssoFile, sso);
  const theatreSso = startShop && theatre && (await seedDemoSso(table, theatre.org_id, nowUnix));
  const sellers = [
    ...(club ? [{ organisation: club, sso }] : []),
    ...(theatre && theatreSso ? [{ organisation: theatre, sso: theatreSso }] : []),
  ];
  const shops = startShop
    ? await startDemoShops(startShop, sellers, { url, port, localFolder, now: () => cloud.clock.now() })
    : [];
  const [shop, theatreShop] = shops;
  const addresses = {
    url,
    docs_url,
    shop_url: shop?.url,
    theatre_shop_url: theatreShop?.url,
    mails_url: shop?.mailsUrl,
    theatre_mails_url: theatreShop?.mailsUrl,
  };
  writePrivateFile(runFile, { ...addresses, pid: process.pid, organisations, sso: demoTokens(sso, nowUnix) });
  console.log(startMessage(addresses, organisations));
  return {
    ...cloud,
    async stop() {
      if (isWrittenByThisProcess(runFile))
        for (const file of [runFile, adminFile, ssoFile]) rmSync(file, { force: true });
      for (const { stop } of shops) await stop();
      await control.stop();
      await cloud.stop();
      await pushDouble.stop();
      await googleDouble.stop();
    },
  };
}

function tableName({ template, physicalId }: Cloud): string {
  const [table] = template.ofType('AWS::DynamoDB::GlobalTable');
  if (table === undefined) throw new Error('The stack has no table.');
  return physicalId(table.logicalId);
}

/** A later run may have replaced the file. */
function isWrittenByThisProcess(runFile: string): boolean {
  return existsSync(runFile) && JSON.parse(readFileSync(runFile, 'utf8')).pid === process.pid;
}

/** Without its table the service would return an error for every request, so the process exits. */
function exitWithError(reason: string): void {
  explainEnd(reason);
  process.exit(1);
}
