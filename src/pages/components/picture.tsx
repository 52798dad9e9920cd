interface PictureProps {
  readonly profile: {
    readonly avatarHash: string | null;
    readonly displayName: string | null;
    readonly email: string;
  };
  readonly small?: boolean;
}

/** The avatar, or the initials of the name. The picture is decorative: the name is beside the picture. */
export function Picture({ profile, small }: PictureProps) {
  const kind = small ? "picture small" : "picture";
  if (profile.avatarHash) return <img class={kind} src={`/avatars/${profile.avatarHash}.webp`} alt="" />;
  return (
    <span class={kind} aria-hidden="true">
      {initialsOf(profile.displayName ?? profile.email)}
    </span>
  );
}

/** The first letters of the first two words; a word such as "&" counts only in a name without letters. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const named = words.filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const counted = named.length > 0 ? named : words;
  return counted
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join("");
}
