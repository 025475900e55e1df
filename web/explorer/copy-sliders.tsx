/** @jsxImportSource preact */
// The visitor's copying terms: dollars per buy and seconds of delay, on two sliders.
import { useState } from "preact/hooks";
import { usd } from "../shared/format.ts";
import { useSeen } from "../shared/use-seen.ts";

const SIZES_USD = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
const DELAYS_SECONDS = [0, 1, 2, 5, 10, 15, 30, 60, 120, 300];

/** Starts with the values from the address. `isSeen` is true once the sliders have come into view. */
export function useCopySliders(asked: { size?: string; delay?: string } = {}) {
  const [box, isSeen] = useSeen<HTMLDivElement>();
  const [size, setSize] = useState(placeIn(SIZES_USD, asked.size, 100));
  const [delay, setDelay] = useState(placeIn(DELAYS_SECONDS, asked.delay, 5));
  const sizeUsd = SIZES_USD[size] ?? 100;
  const delaySeconds = DELAYS_SECONDS[delay] ?? 5;
  const sliders = (
    <div class="sliders" ref={box}>
      <Slider
        label="Dollars on each buy"
        shown={usd(sizeUsd)}
        steps={SIZES_USD.length}
        at={size}
        onChange={setSize}
      />
      <Slider
        label="Seconds behind"
        shown={`${delaySeconds} s`}
        steps={DELAYS_SECONDS.length}
        at={delay}
        onChange={setDelay}
      />
    </div>
  );
  return { sizeUsd, delaySeconds, isSeen, sliders };
}

/** The step of a slider that matches an address's value, or else the usual one. */
function placeIn(steps: readonly number[], wanted: string | undefined, usual: number): number {
  const at = steps.findIndex((step) => String(step) === wanted);
  return at < 0 ? steps.indexOf(usual) : at;
}

function Slider(props: {
  label: string;
  shown: string;
  steps: number;
  at: number;
  onChange: (at: number) => void;
}) {
  const [held, setHeld] = useState<number | null>(null);
  return (
    <label class="slider">
      <span>
        {props.label} <b class="num">{props.shown}</b>
      </span>
      <input
        type="range"
        min="0"
        max={props.steps - 1}
        step="1"
        value={held ?? props.at}
        aria-valuetext={props.shown}
        onInput={(event) => setHeld(event.currentTarget.valueAsNumber)}
        onChange={(event) => {
          setHeld(null);
          props.onChange(event.currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}
