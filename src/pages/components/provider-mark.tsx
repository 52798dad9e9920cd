/** The marks of identity providers in their official forms and colours; decorative beside the name of the provider. */

type MarkPath = readonly [path: string, colour: string];

interface ProviderArt {
  /** Side of the square view box. */
  readonly size: number;
  readonly paths: readonly MarkPath[];
}

/** Google, Microsoft and Facebook prescribe the colours; GitHub and Apple prescribe one colour with contrast. */
const ART: Readonly<Record<string, ProviderArt>> = {
  oauth_idp_a: {
    size: 48,
    paths: [
      [
        "M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l" +
          "7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z",
        "#EA4335",
      ],
      [
        "M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4." +
          "18 7.09-10.36 7.09-17.65z",
        "#4285F4",
      ],
      ["M10.53 28.59a14.5 14.5 0 0 1 0-9.18l-7.98-6.19a24.1 24.1 0 0 0 0 21.56l7.98-6.19z", "#FBBC05"],
      [
        "M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47" +
          "-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z",
        "#34A853",
      ],
    ],
  },
  oauth_idp_b: {
    size: 24,
    paths: [
      [
        "M12 .3a12 12 0 0 0-3.8 23.38c.6.12.83-.26.83-.57L9 21.07c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1" +
          ".34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.08 1.83 2.81 1.3 3.5 1 .1" +
          "-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18" +
          " 0 0 1-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4." +
          "65 4.65 0 0 1 1.23 3.22c0 4.61-2.8 5.63-5.48 5.92.42.36.81 1.1.81 2.22l-.01 3.29c0 .31.2.69.82.5" +
          "7A12 12 0 0 0 12 .3",
        "currentColor",
      ],
    ],
  },
  oauth_idp_c: {
    size: 21,
    paths: [
      ["M0 0h10v10H0z", "#F25022"],
      ["M11 0h10v10H11z", "#7FBA00"],
      ["M0 11h10v10H0z", "#00A4EF"],
      ["M11 11h10v10H11z", "#FFB900"],
    ],
  },
  oauth_idp_d: {
    size: 24,
    paths: [
      [
        "M12.15 6.9c-.95 0-2.42-1.08-3.96-1.04a5.89 5.89 0 0 0-4.96 3.01c-2.12 3.68-.55 9.1 1.52 12.09 1." +
          "01 1.45 2.2 3.09 3.79 3.04 1.52-.07 2.09-.99 3.93-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.68-1.48 " +
          "3.68-2.95a12.2 12.2 0 0 0 1.66-3.41c-.04-.02-3.18-1.22-3.22-4.86-.03-3.04 2.48-4.49 2.6-4.56-1.4" +
          "3-2.09-3.63-2.32-4.39-2.38-2-.15-3.68 1.1-4.61 1.1zM15.53 3.83A5.3 5.3 0 0 0 16.78 0a5.3 5.3 0 0" +
          " 0-3.53 1.82c-.78.89-1.46 2.33-1.28 3.71 1.34.1 2.72-.69 3.56-1.7",
        "currentColor",
      ],
    ],
  },
  oauth_idp_e: {
    size: 24,
    paths: [
      [
        "M9.1 23.69v-7.98H6.63v-3.67H9.1v-1.58c0-4.08 1.85-5.97 5.86-5.97.4 0 .95.04 1.47.1.38.05.77.11 1" +
          ".14.2v3.32a8.6 8.6 0 0 0-1.39-.04c-.7 0-1.25.1-1.67.31a1.7 1.7 0 0 0-.68.62c-.26.42-.37 1-.37 1." +
          "75v1.3h3.92l-.67 3.67h-3.25v8.24A12 12 0 1 0 9.1 23.69z",
        "#0866FF",
      ],
    ],
  },
};

export function ProviderMark({ provider }: { readonly provider: string }) {
  const art = Object.hasOwn(ART, provider) ? ART[provider] : undefined;
  if (!art) return null;
  return (
    <svg class="provider-mark" viewBox={`0 0 ${art.size} ${art.size}`} aria-hidden="true">
      {art.paths.map(([path, colour]) => (
        <path key={path} d={path} fill={colour} />
      ))}
    </svg>
  );
}
