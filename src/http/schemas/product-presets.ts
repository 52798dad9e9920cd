import { Type } from "@sinclair/typebox";
import { INPUT_TYPES, PRESET_KINDS, SETUP_FORMATS } from "../../flows/oauth/presets/product-presets.ts";
import { oneOf, text } from "./common.ts";

const PRESET_INPUTS_MAX = 10;

/** Members of a registration by a preset. */
export const presetMembers = {
  preset: Type.Optional(
    Type.String({
      examples: ["grafana"],
      description: "product preset: the settings of a product; members beside the preset take precedence",
      documented: { maxLength: 64 },
    }),
  ),
  inputs: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      examples: [{ url: "https://grafana.example.com" }],
      description: "inputs of the preset",
      documented: { maxProperties: PRESET_INPUTS_MAX },
    }),
  ),
};

const Input = Type.Object({
  name: text("url"),
  type: oneOf(INPUT_TYPES, { description: "url: an https address without query and fragment" }),
  required: Type.Boolean({ examples: [true] }),
});

export const ProductPresetItem = Type.Object(
  {
    preset: text("grafana"),
    name: text("Grafana", "name of the product"),
    kind: oneOf(PRESET_KINDS),
    inputs: Type.Array(Input),
    unbound_codes: Type.Boolean({
      description: "the product sends neither PKCE nor a nonce: its codes are not bound to the browser",
      examples: [false],
    }),
    guide: text("https://grafana.com/docs/", "documentation of the product"),
  },
  { $id: "ProductPreset" },
);

export const ProductPresets = Type.Object({ items: Type.Array(ProductPresetItem) }, { $id: "ProductPresets" });

export const ProductSetup = Type.Object(
  {
    format: oneOf(SETUP_FORMATS),
    text: text("[auth.generic_oauth]", "configuration of the product, with a placeholder for the secret"),
  },
  { $id: "ProductSetup" },
);
