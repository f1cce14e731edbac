import { generateKeyPairSync } from 'node:crypto';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import forge from 'node-forge';
import type { Cloud } from '../cloud/cloud.ts';

const passTypeId = 'pass.example.gateline';
const teamId = 'LOCALTEST0';

/** Three RSA keys take half a second, and tests start many services in one process. */
const made: { apple?: object; google?: object } = {};

/**
 * The local run signs passes by an authority of its own, so that everything can be tried. No phone trusts it: Apple's certificate and
 * Google's account belong to a deployed stage. They are made once and kept with the data.
 */
export async function storeLocalWallets({ endpoints, operator, template }: Cloud): Promise<void> {
  const { region, ...credentials } = operator;
  const client = new SecretsManagerClient({ region, credentials, endpoint: endpoints.secretsManager });
  const store = async (name: string, make: () => object): Promise<void> => {
    const secret = template.ofType('AWS::SecretsManager::Secret').find(({ logicalId }) => logicalId.includes(name));
    if (secret === undefined) return;
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secret.ref }));
    if (SecretString.startsWith('{"')) return;
    await client.send(new PutSecretValueCommand({ SecretId: secret.ref, SecretString: JSON.stringify(make()) }));
  };
  try {
    await store('AppleWallet', () => (made.apple ??= testAppleAccount()));
    await store('GoogleWallet', () => (made.google ??= testGoogleAccount()));
  } finally {
    client.destroy();
  }
}

/** A certificate of a pass type, from a new authority. */
export function testAppleAccount(): Readonly<
  Record<'certificate' | 'private_key' | 'authority' | 'pass_type_id' | 'team_id', string>
> {
  const [root, own] = [newKeys(), newKeys()];
  const authority = certificateOf(root.publicKey, root.privateKey, {
    subject: [{ name: 'commonName', value: 'Gateline test authority' }],
    isAuthority: true,
  });
  const certificate = certificateOf(own.publicKey, root.privateKey, {
    subject: [
      { type: '0.9.2342.19200300.100.1.1', value: passTypeId },
      { name: 'commonName', value: `Pass Type ID: ${passTypeId}` },
      { name: 'organizationalUnitName', value: teamId },
    ],
    issuer: authority.subject.attributes,
    isAuthority: false,
  });
  return {
    certificate: forge.pki.certificateToPem(certificate),
    private_key: own.privateKey,
    authority: forge.pki.certificateToPem(authority),
    pass_type_id: passTypeId,
    team_id: teamId,
  };
}

export function testGoogleAccount(): Readonly<Record<'issuer_id' | 'client_email' | 'private_key', string>> {
  const { privateKey } = newKeys();
  return { issuer_id: '3388000000000000000', client_email: 'passes@gateline.example.com', private_key: privateKey };
}

function newKeys(): { readonly publicKey: string; readonly privateKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

interface CertificateOptions {
  readonly subject: forge.pki.CertificateField[];
  readonly issuer?: forge.pki.CertificateField[];
  readonly isAuthority: boolean;
}

function certificateOf(publicKey: string, signingKey: string, { subject, issuer, isAuthority }: CertificateOptions) {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = isAuthority ? '01' : '02';
  certificate.validity.notBefore = new Date(Date.UTC(2020, 0, 1));
  certificate.validity.notAfter = new Date(Date.UTC(2120, 0, 1));
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ?? subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority },
    { name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(signingKey), forge.md.sha256.create());
  return certificate;
}
