import type { WithMetadata } from './with-metadata.ts';

interface OtherSystemsProps {
  readonly of: WithMetadata;
  /** Whether it stands in a card already. */
  readonly isPart?: boolean;
}

/** What other systems keep here, for staff to read: programs write it. It takes no room where there is none. */
export function OtherSystems({ of: { metadata, external_reference = null }, isPart = false }: OtherSystemsProps) {
  const reference = external_reference === null ? [] : [['External reference', external_reference] as const];
  const pairs = [...reference, ...Object.entries(metadata)];
  if (pairs.length === 0) return null;
  return (
    <details class={isPart ? '' : 'card'}>
      <summary>From other systems</summary>
      <ul class="lines">
        {pairs.map(([key, value]) => (
          <li key={key} class="line">
            <span>
              {value}
              <span class="hint">{key}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
