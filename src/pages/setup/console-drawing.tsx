/**
 * A drawing of a page in the console of an identity provider: the path of menus, the fields and the buttons of the
 * instructions, in their order. A drawing has no pictures of the product, so that a new look of a console leaves the
 * drawing correct. Assistive technology reads the instructions beside the drawing.
 */
import type { VNode } from "preact";
import type { ConnectionUrls } from "../../flows/sso/connections/urls.ts";
import type { GuideAction } from "../single-sign-on/guides.ts";

/** Units of the drawing. */
const WIDTH = 360;
const EDGE = 16;
const INNER = WIDTH - 2 * EDGE;
const LINE = 22;
const GAP = 8;
const TOP = 28;
const BASELINE = 15;
/** Characters that fit, at the width of the widest letters of most names. */
const LINE_CHARACTERS = 48;
const HALF_CHARACTERS = 22;

interface DrawingProps {
  /** The name of the product. */
  readonly name: string;
  readonly actions: readonly GuideAction[];
  readonly urls: ConnectionUrls;
}

/** One part of the drawing, with its height. */
interface Part {
  readonly height: number;
  readonly at: (y: number) => VNode;
}

export function ConsoleDrawing({ name, actions, urls }: DrawingProps) {
  const parts = actions.flatMap((action) => partsOf(action, urls));
  let y = TOP + GAP;
  const drawn = parts.map((part, index) => {
    const top = y;
    y += part.height + GAP;
    return <g key={index}>{part.at(top)}</g>;
  });
  return (
    <svg class="drawing" viewBox={`0 0 ${WIDTH} ${y + GAP}`} aria-hidden="true" focusable="false" lang="en">
      <path class="bar" d={`M0 0H${WIDTH}V${TOP}H0Z`} />
      <text x={WIDTH / 2} y={18} text-anchor="middle">
        {name}
      </text>
      {[EDGE, EDGE + 12, EDGE + 24].map((x) => (
        <circle key={x} cx={x} cy={14} r={3.5} />
      ))}
      {drawn}
    </svg>
  );
}

function partsOf(action: GuideAction, urls: ConnectionUrls): readonly Part[] {
  switch (action.kind) {
    case "open":
      return [line(lastMenus(action.path))];
    case "choose":
      return [button(action.value)];
    case "select":
      return [field(action.field, action.value, "▾")];
    case "type":
      return [field(action.field, action.value, undefined, "here")];
    case "enter":
      return [field(action.field, urls[action.address], undefined, "here")];
    case "pairs":
      return [label(action.field), ...action.pairs.map(([one, other]) => pair(one, other))];
    case "copy":
      return [field(action.field, "••••••••••••", "⧉", "there")];
    case "repeat":
      return [field(action.target, action.field, undefined, "here")];
  }
}

function line(text: string): Part {
  return {
    height: LINE,
    at: (y) => (
      <text class="value" x={EDGE} y={y + BASELINE}>
        {text}
      </text>
    ),
  };
}

function label(text: string): Part {
  return {
    height: LINE - GAP,
    at: (y) => (
      <text x={EDGE} y={y + BASELINE - 6}>
        {cut(text, LINE_CHARACTERS)}
      </text>
    ),
  };
}

function field(name: string, value: string, sign?: string, kind?: "here" | "there"): Part {
  const head = label(name);
  return {
    height: head.height + LINE,
    at: (y) => (
      <>
        {head.at(y)}
        <Box x={EDGE} y={y + head.height} width={INNER} text={cut(value, LINE_CHARACTERS - 4)} kind={kind} />
        {sign && (
          <text x={EDGE + INNER - 16} y={y + head.height + BASELINE}>
            {sign}
          </text>
        )}
      </>
    ),
  };
}

function pair(one: string, other: string): Part {
  const half = (INNER - GAP) / 2;
  return {
    height: LINE,
    at: (y) => (
      <>
        <Box x={EDGE} y={y} width={half} text={cut(one, HALF_CHARACTERS)} kind="here" />
        <Box x={EDGE + half + GAP} y={y} width={half} text={cut(other, HALF_CHARACTERS)} kind="here" />
      </>
    ),
  };
}

/** Width of a letter of a button, in the mean. */
const LETTER = 6.5;

function button(text: string): Part {
  const short = cut(text, LINE_CHARACTERS - 4);
  const width = Math.min(INNER, short.length * LETTER + 24);
  return {
    height: LINE + 2,
    at: (y) => (
      <>
        <rect class="do" x={EDGE} y={y} width={width} height={LINE + 2} rx={5} />
        <text x={EDGE + width / 2} y={y + BASELINE + 1} text-anchor="middle">
          {short}
        </text>
      </>
    ),
  };
}

interface BoxProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
  readonly kind: "here" | "there" | undefined;
}

function Box({ x, y, width, text, kind }: BoxProps) {
  return (
    <>
      <rect class={kind} x={x} y={y} width={width} height={LINE} rx={4} />
      <text class="value" x={x + 8} y={y + BASELINE}>
        {text}
      </text>
    </>
  );
}

/** The last menus of a path that fit on a line. */
function lastMenus(path: readonly string[]): string {
  const text = path.join(" › ");
  if (text.length <= LINE_CHARACTERS || path.length === 1) return cut(text, LINE_CHARACTERS);
  const rest = lastMenus(path.slice(1));
  return rest.startsWith("…") ? rest : `… › ${rest}`;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
