import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { AppleAccount } from '../../shared/documents/apple-account.ts';
import { GoogleAccount } from '../../shared/documents/google-account.ts';
import { as, line } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { outputsOf } from '../connection.ts';
import { AdminFailure, refusal } from '../failure.ts';

/** Stores what signs the passes of wallets, as the Stripe key is stored: in a secret of the stage that only its functions read. */
export function addWalletCommands(program: Program, { runOnStage }: Cli): void {
  const group = program.command('wallet').description('Store what signs the passes of Apple and Google Wallet.');

  withYes(group.command('apple'))
    .description('Store the certificate of the pass type, its private key and the certificate of its issuer (WWDR).')
    .requiredOption('--certificate <file>', 'The certificate from developer.apple.com, as PEM.', as(line(4_096)))
    .requiredOption('--key <file>', 'Its private key, as PEM without a password.', as(line(4_096)))
    .requiredOption('--authority <file>', "Apple's intermediate certificate (WWDR G4), as PEM.", as(line(4_096)))
    .addHelpText(
      'after',
      example('wallet apple --certificate pass.pem --key pass.key --authority wwdr.pem --stage prod --yes'),
    )
    .action(({ yes, ...files }) =>
      runOnStage(async ({ stage, change, show }) => {
        const account = appleAccountFrom(readText(files.certificate), readText(files.key), readText(files.authority));
        const { pass_type_id, team_id } = account;
        confirm(yes, replaces(stage, 'Apple', `${pass_type_id} (team ${team_id})`));
        await change(() => storeSecret(stage, 'AppleWalletSecret', account));
        const ends = new X509Certificate(account.certificate).validToDate.toISOString().slice(0, 10);
        const text = `${stage} signs Apple passes of ${pass_type_id} (team ${team_id}). The certificate ends on ${ends}: store the next one before.`;
        show({ stage, pass_type_id, team_id, ends }, text);
      }),
    );

  withYes(group.command('google'))
    .description('Store the key of the service account that signs Google passes.')
    .requiredOption('--service-account <file>', 'The key file (JSON) of the service account.', as(line(4_096)))
    .requiredOption('--issuer <id>', 'The issuer id of the Google Wallet console.', as(line(30)))
    .addHelpText('after', example('wallet google --service-account key.json --issuer 3388000000022 --stage prod --yes'))
    .action(({ serviceAccount, issuer, yes }) =>
      runOnStage(async ({ stage, change, show }) => {
        const account = googleAccountFrom(readText(serviceAccount), issuer);
        const { client_email, issuer_id } = account;
        confirm(yes, replaces(stage, 'Google', `the issuer ${issuer_id}`));
        await change(() => storeSecret(stage, 'GoogleWalletSecret', account));
        show(
          { stage, client_email, issuer_id },
          `${stage} signs Google passes of the issuer ${issuer_id} as ${client_email}.`,
        );
      }),
    );
}

/** What was stored before is gone then, and a pass is only updated by what has signed it. */
function replaces(stage: string, wallet: string, owner: string): string {
  return `${stage} would sign its ${wallet} passes as ${owner}. Passes in wallets that another one has signed would not be updated any more.`;
}

/** Checks what would otherwise fail on the phone, without a message. */
export function appleAccountFrom(certificate: string, key: string, authority: string): AppleAccount {
  try {
    const [own, issuer] = [new X509Certificate(certificate), new X509Certificate(authority)];
    const field = (name: string): string => new RegExp(`^${name}=(.+)$`, 'm').exec(own.subject)?.[1] ?? '';
    if (!own.checkPrivateKey(createPrivateKey(key)))
      throw invalid('The private key does not belong to the certificate.');
    if (!own.checkIssued(issuer) || !own.verify(issuer.publicKey)) {
      throw invalid(
        "The certificate was not issued by --authority. Use Apple's WWDR certificate that its issuer names.",
      );
    }
    if (own.validToDate.getTime() < Date.now())
      throw invalid('The certificate has ended. Renew it at developer.apple.com.');
    const account = { certificate, private_key: key, authority, pass_type_id: field('UID'), team_id: field('OU') };
    return v.parse(AppleAccount, account);
  } catch (error) {
    throw asRefusal(error, 'The files are not a certificate of an Apple pass type with its key, as PEM.');
  }
}

export function googleAccountFrom(file: string, issuerId: string): GoogleAccount {
  try {
    const account = v.parse(GoogleAccount, { ...JSON.parse(file), issuer_id: issuerId });
    createPrivateKey(account.private_key);
    return account;
  } catch (error) {
    throw asRefusal(
      error,
      'The file is not the key of a service account, or the issuer id has other characters than digits.',
    );
  }
}

const invalid = (message: string): AdminFailure => refusal('wallet_invalid', message);
const asRefusal = (error: unknown, message: string): unknown =>
  error instanceof AdminFailure ? error : invalid(message);

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw refusal('file_missing', `The file ${file} cannot be read.`);
  }
}

async function storeSecret(stage: string, output: string, value: object): Promise<void> {
  const SecretId = (await outputsOf(stage, 'state'))[output];
  if (SecretId === undefined) {
    throw refusal('secret_missing', `Gateline-${stage}-state has no output ${output}. Deploy this release first.`);
  }
  const client = new SecretsManagerClient({});
  try {
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
  } finally {
    client.destroy();
  }
}
