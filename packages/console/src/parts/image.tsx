import { useState } from 'react';
import classes from './image.module.css';
import { ownImage } from './own-image.ts';

interface ImageProps {
  src: string | undefined;
  /** Whose initials stand in its place. */
  name: string;
  size: number;
  /** As those of people are. */
  isRound?: boolean;
}

const initialsOf = (name: string): string => {
  const [first = '', second = ''] = name.trim().split(/\s+/);
  return (second ? `${[...first][0]}${[...second][0]}` : [...first].slice(0, 2).join('')).toUpperCase();
};

/** The icon of an app, the avatar of an organization or a person; its name stands beside it. */
export function Image({ src, name, size, isRound }: ImageProps) {
  const source = ownImage(src);
  const [broken, setBroken] = useState<string>();
  return (
    <span
      className={classes.image}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      data-round={isRound || undefined}
      aria-hidden
    >
      {source && source !== broken ? <img src={source} alt="" onError={() => setBroken(source)} /> : initialsOf(name)}
    </span>
  );
}
