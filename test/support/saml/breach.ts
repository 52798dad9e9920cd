import type { SamlReason } from "../../../src/pool/saml-protocol.ts";
import type { CorpusCase } from "./corpus.ts";
import type { MessageParts } from "./message.ts";
import { PRESET_SHAPES, type PresetShape, presetMessage } from "./presets.ts";

/** A product that signs response and assertion. */
export const both = PRESET_SHAPES.find(({ name }) => name === "simplesamlphp") as PresetShape;
export const assertionOnly: PresetShape = { ...both, signed: ["Assertion"] };

export type Extra = Pick<CorpusCase, "trust" | "job">;

export function breach(name: string, xml: string, reason: SamlReason, extra: Extra = {}): CorpusCase {
  return { kind: "breach", name: `${reason}: ${name}`, xml, reasons: [reason], ...extra };
}

/** A signed message with changed parts. */
export function changed(name: string, parts: Partial<MessageParts>, reason: SamlReason, extra: Extra = {}): CorpusCase {
  return breach(name, presetMessage(assertionOnly, parts), reason, extra);
}
