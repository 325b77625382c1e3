import { Field } from '../../components/field.tsx';
import { Label } from '../../components/text.tsx';

type Props = {
  /** The label that the person typed; null if they typed none. */
  draft: string | null;
  initial: string;
  onChange: (label: string) => void;
};

/** The label that a registration sends: what the person typed, or the suggestion. */
export const chosenLabel = ({ draft, initial }: Pick<Props, 'draft' | 'initial'>) => draft?.trim() || initial;

/** Shows the suggested label, and asks for another one only if the person wants to give one. */
export const LabelChoice = ({ draft, initial, onChange }: Props) => (
  <details open={draft !== null}>
    <summary>
      Label: <Label text={chosenLabel({ draft, initial })} inline />
    </summary>
    <Field
      label="Label"
      hint="A name you'll recognize."
      value={draft ?? initial}
      onChange={(event) => onChange(event.target.value)}
      maxLength={100}
      autoComplete="off"
    />
  </details>
);

/** The first match wins: Android's user agent contains Linux too. */
const PLATFORMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Tells whether the browser says that it's on a phone. */
export const isPhone = (userAgent: string) => /iPhone|Android.*Mobile/.test(userAgent);

/** Suggests a label, such as `Passkey on macOS`. */
export function defaultLabel(userAgent: string): string {
  const platform = PLATFORMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return platform ? `Passkey on ${platform}` : 'Passkey';
}
