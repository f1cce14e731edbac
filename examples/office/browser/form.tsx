import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SubmitButton } from '../../site/browser/parts/form.tsx';
import { Notice, Problem } from '../../site/browser/parts/notice.tsx';
import { hasCode } from '../../site/browser/state/messages.ts';
import { ApiError } from '../../site/browser/state/request.ts';
import { useAction } from '../../site/browser/state/use-action.ts';
import { useFocusKept } from '../../site/browser/state/use-removal.ts';
import { officeCall } from './api.ts';
import {
  emptyTexts,
  enteredIn,
  type Field,
  type Meanwhile,
  merge,
  type Texts,
  textsOf,
  type Values,
  zoneOf,
} from './fields.ts';
import { FormField } from './form-field.tsx';
import { inStaffWords, staffMessage } from './staff-words.ts';

interface FormProps<Saved> {
  readonly fields: readonly Field[];
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  /** What the fields show at first. Of a PATCH, the object with its version. */
  readonly values: Values;
  /** Reads the object again after somebody else has changed it. */
  readonly reload?: () => Promise<Values>;
  /** What the API takes, of the fields that were changed and of all of them; by default what was changed. */
  readonly shape?: (changed: Values, all: Values) => Values;
  /** Sends what was entered in another way than with one call. */
  readonly send?: (changed: Values, all: Values) => Promise<unknown>;
  readonly timezone: string;
  readonly button: string;
  readonly danger?: boolean;
  /** Undefined if nothing was changed. */
  readonly onSaved: (saved?: Saved) => void;
  /** What the entered values mean, in words. */
  readonly summary?: (all: Values) => ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A form that creates something with a POST, or changes something with a PATCH that carries the version it began with. */
export function Form<Saved>(props: FormProps<Saved>) {
  const { fields, method, path, timezone } = props;
  const [base, setBase] = useState(props.values);
  const textsOfBase = textsOf(fields, base, zoneOf(textsOf(fields, base, timezone), timezone));
  const isNew = method === 'POST';
  const before = isNew ? emptyTexts(fields) : textsOfBase;
  const [texts, setTexts] = useState<Texts>(textsOfBase);
  const [problems, setProblems] = useState<Texts>({});
  const [general, setGeneral] = useState<string>();
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  const { isBusy, run } = useAction();
  const form = useFocusKept<HTMLFormElement>();
  const sent = useRef({ text: '', idempotencyKey: '' });
  useEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid]');
    invalid?.closest('details')?.setAttribute('open', '');
    invalid?.focus();
  }, [problems]);

  async function save(): Promise<void> {
    const entered = enteredIn(fields, texts, before, timezone);
    setGeneral(undefined);
    setProblems(entered.problems);
    if (Object.keys(entered.problems).length > 0) return;
    if (!isNew && Object.keys(entered.body).length === 0) return props.onSaved();
    try {
      props.onSaved(await submit(entered.body));
    } catch (error) {
      if (!hasCode(error, 'version_conflict') || props.reload === undefined) throw error;
      showMeanwhile(await props.reload());
    }
  }

  async function submit(changed: Values): Promise<Saved | undefined> {
    const all = enteredIn(fields, texts, {}, timezone).body;
    if (props.send !== undefined) return void (await props.send(changed, all));
    const body = props.shape?.(changed, all) ?? changed;
    return officeCall<Saved>(method, path, { body, ...guard(body) });
  }

  /** Against doing it twice: a second attempt with the same content has the same key. And against undoing what others do: the version. */
  function guard(body: Values) {
    if (!isNew) return { version: Number(base.version) };
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, idempotencyKey: crypto.randomUUID() };
    return { idempotencyKey: sent.current.idempotencyKey };
  }

  function showMeanwhile(current: Values): void {
    const now = textsOf(fields, current, zoneOf(textsOf(fields, current, timezone), timezone));
    const merged = merge(fields, { texts, before: textsOfBase, now });
    setBase(current);
    setTexts(merged.texts);
    setMeanwhile(merged.meanwhile);
  }

  function showProblems(error: unknown): void {
    const all = error instanceof ApiError ? error.problems : [];
    // A field of an object stands on its own in a form.
    const fieldOf = (param: string | null | undefined) => fields.find(({ name }) => name === param?.split('.').at(-1));
    // Staff know a field by its label.
    const labelled = (message: string): string =>
      fields
        .filter(({ name }) => name.includes('_'))
        .reduce(
          (text, { name, label }) => text.replaceAll(name, label),
          message.replace(/^The parameter (\S+)/, (words, param) => fieldOf(param)?.label ?? words),
        );
    const read = (message: string): string => inStaffWords(labelled(message));
    const beside = all.flatMap(({ param, message }) => {
      const { name } = fieldOf(param) ?? {};
      return name === undefined ? [] : [[name, read(message)]];
    });
    setProblems(Object.fromEntries(beside));
    const rest = all.filter(({ param }) => fieldOf(param) === undefined).map(({ message }) => read(message));
    if (all.length === 0) setGeneral(staffMessage(error));
    else if (rest.length > 0) setGeneral(rest.join(' '));
  }

  const shown = (isRare: boolean) =>
    fields
      .filter((field) => (field.isRare ?? false) === isRare)
      .map((field) => (
        <FormField
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          problem={problems[field.name]}
          onChange={(text) => setTexts((all) => ({ ...all, [field.name]: text }))}
        />
      ));
  const rare = shown(true);

  return (
    <form
      ref={form}
      class="office-form"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void run(save, showProblems);
      }}
    >
      <Problem text={general} />
      {meanwhile.length > 0 && <MeanwhileNotice changes={meanwhile} />}
      <div class="card">
        {shown(false)}
        {rare.length > 0 && (
          <details class="rare">
            <summary>More settings</summary>
            {rare}
          </details>
        )}
        {props.children}
      </div>
      {props.summary !== undefined && (
        <div class="notice" role="status">
          {props.summary(enteredIn(fields, texts, {}, timezone).body)}
        </div>
      )}
      <div class="action">
        <SubmitButton isBusy={isBusy} class={props.danger ? 'button danger' : 'button'}>
          {props.button}
        </SubmitButton>
      </div>
    </form>
  );
}

function MeanwhileNotice({ changes }: { readonly changes: readonly Meanwhile[] }) {
  return (
    <Notice tone="bad" title="Somebody else has changed this meanwhile. Nothing of yours is saved yet.">
      <ul>
        {changes.map(({ label, before, now }) => (
          <li key={label}>
            {label}: {before} is now <strong>{now}</strong>
          </li>
        ))}
      </ul>
      <p>The fields below show their changes, and what you have typed. Look at them, and save again.</p>
    </Notice>
  );
}
