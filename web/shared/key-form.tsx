/** @jsxImportSource preact */
// The form for entering a key that is kept in this tab only.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export function KeyForm(props: {
  label: string;
  lengthMax: number;
  placeholder?: string;
  /** Initially open. */
  isDone?: boolean;
  onKey: (key: string) => void;
  /** Next to the button. */
  children?: ComponentChildren;
}) {
  const [text, setText] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim()) props.onKey(text.trim());
  };
  return (
    <form class="filters" onSubmit={submit}>
      <label class="grow">
        <span>{props.label}</span>
        <input
          type="password"
          name="key"
          placeholder={props.placeholder}
          autocomplete="off"
          spellcheck={false}
          maxLength={props.lengthMax}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={props.isDone}>
        Open
      </button>
      {props.children}
    </form>
  );
}
