import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { parseSourceMaps, type SourceMaps, sourceMapsFile } from '../../lib/source-maps.ts';

/** One line for the person who runs the command. */
export class SourceMapsMissing extends Error {}

/** The folders in which this machine has assemblies: of the local run (`.local/assembly-…`), and of `npm run synth`. */
function assemblyFolders(root: string): string[] {
  const local = join(root, '.local');
  const runs = existsSync(local) ? readdirSync(local).filter((name) => name.startsWith('assembly-')) : [];
  return [...runs.map((name) => join(local, name)), join(root, 'cdk.out')].filter(existsSync);
}

/** The release of the newest assembly of the local run. */
export function localRelease(root: string): string {
  const files = assemblyFolders(root)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => releaseIn(file) !== undefined)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const release = releaseIn(files[0] ?? '');
  if (release === undefined)
    throw new SourceMapsMissing('This machine has no source maps of a local run. Run npm start once.');
  return release;
}

const releaseIn = (file: string): string | undefined => /source-maps-([0-9a-f]+)\.gz$/.exec(file)?.[1];

/** Reads the source maps of a release that was synthesized on this machine. */
export function localSourceMaps(root: string, release: string): SourceMaps | undefined {
  const files = assemblyFolders(root).map((folder) => join(folder, sourceMapsFile(release)));
  const found = files.find(existsSync);
  return found === undefined ? undefined : parseSourceMaps(readFileSync(found));
}

/** The CDK's default. A project that bootstraps with another qualifier sets it in cdk.json. */
const defaultQualifier = 'hnb659fds';

/** Reads the source maps of a deployed release from the bucket that holds the CDK's assets. */
export async function deployedSourceMaps(
  release: string,
  { stage, qualifier = defaultQualifier }: { readonly stage: string; readonly qualifier?: string | undefined },
): Promise<SourceMaps> {
  const cloudFormation = new CloudFormationClient();
  const s3 = new S3Client({ forcePathStyle: true });
  try {
    const StackName = `Gateline-${stage}-service`;
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    // arn:aws:cloudformation:<region>:<account>:stack/…
    const [, , , region, account] = (Stacks[0]?.StackId ?? '').split(':');
    const Bucket = `cdk-${qualifier}-assets-${account}-${region}`;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: sourceMapsFile(release) }));
    if (Body === undefined) throw new SourceMapsMissing(`${Bucket} returned nothing for the release ${release}.`);
    return parseSourceMaps(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof NoSuchKey)
      throw new SourceMapsMissing(
        `The release ${release} was not deployed to ${stage}, or its source maps were deleted.`,
      );
    throw error;
  } finally {
    cloudFormation.destroy();
    s3.destroy();
  }
}
