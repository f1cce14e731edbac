import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const release = /"RELEASE":\s*"([0-9a-f]{12})"/;
/** A version of a function: its place in the stacks, and a hash of everything about it, the release included. */
const version = /(\w+CurrentVersion[0-9A-F]{8})([0-9a-f]{32})/g;

const Template = v.looseObject({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) }),
  ),
});

/**
 * Writes the ids of the deployed release into the templates of an assembly, so a diff shows only what else has changed. A new
 * release changes every function, version, alias and nested stack. Returns the two releases; undefined if none is deployed.
 */
export function foldRelease(
  assembly: string,
  deployed: readonly unknown[],
): { readonly from: string; readonly to: string } | undefined {
  const text = JSON.stringify(deployed);
  const from = release.exec(text)?.[1];
  if (from === undefined) return undefined;
  const versions = new Map([...text.matchAll(version)].map(([id, place = '']) => [place, id]));
  const addresses = new Map(deployed.flatMap((template) => nestedStacks(template)));
  let to = from;
  for (const name of readdirSync(assembly).filter((file) => file.endsWith('.template.json'))) {
    const file = join(assembly, name);
    const own = readFileSync(file, 'utf8');
    to = release.exec(own)?.[1] ?? to;
    const folded = own
      .replace(new RegExp(release, 'g'), `"RELEASE":"${from}"`)
      .replace(version, (id: string, place: string) => versions.get(place) ?? id);
    const template = v.parse(Template, JSON.parse(folded));
    for (const [id, { Properties }] of Object.entries(template.Resources)) {
      // The address of a nested template is its hash. The diff compares the nested stacks themselves.
      if (addresses.has(id)) Properties.TemplateURL = addresses.get(id);
    }
    writeFileSync(file, JSON.stringify(template));
  }
  return { from, to };
}

function nestedStacks(template: unknown): [string, unknown][] {
  return Object.entries(v.parse(Template, template).Resources)
    .filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack')
    .map(([id, { Properties }]) => [id, Properties.TemplateURL]);
}
