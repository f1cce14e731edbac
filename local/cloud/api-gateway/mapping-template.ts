import { CloudError } from '../cloud-error.ts';

/** What a mapping template can read of a request. */
export interface TemplateInput {
  requestId: string;
  pathParameters: Readonly<Record<string, string>>;
}

export type MappingTemplate = (input: TemplateInput) => string;

const conditional = /#if\(.*?#end/gs;
const condition = /^\$input\.params\("(\w+)"\)\.matches\("([^"$#\\]+)"$/;
const variables = /\$context\.(?:extendedRequestId|requestId)\b/g;

/**
 * Reads the part of Velocity that this cloud has: `#if`, `#elseif` and `#{else}` that compare a parameter of the path with a regular
 * expression, not nested, and the id of the request. A template with anything else stops the start.
 */
export function readMappingTemplate(route: string, template: string): MappingTemplate {
  const fixed = template.replaceAll(conditional, '').replaceAll(variables, '');
  if (/[$#]/.test(fixed)) throw new CloudError(`The route ${route} has an unsupported mapping template: ${fixed}`);
  const choices = new Map(template.match(conditional)?.map((text) => [text, readChoice(route, text)]));
  return (input) =>
    template
      .replaceAll(conditional, (text) => choices.get(text)?.(input.pathParameters) ?? '')
      .replaceAll(variables, () => input.requestId);
}

function readChoice(route: string, text: string): (parameters: Readonly<Record<string, string>>) => string {
  const [before = '', otherwise = ''] = text.slice('#if('.length, -'#end'.length).split('#{else}');
  const branches = before.split('#elseif(').map((branch) => {
    const [expression = '', result = ''] = branch.split('))');
    const [, name = '', pattern] = expression.match(condition) ?? [];
    if (pattern === undefined)
      throw new CloudError(`The route ${route} has an unsupported condition in its mapping template: ${expression})`);
    // Java's `matches` compares the whole text.
    return { name, pattern: new RegExp(`^(?:${pattern})$`), result };
  });
  return (parameters) =>
    branches.find(({ name, pattern }) => pattern.test(parameters[name] ?? ''))?.result ?? otherwise;
}
