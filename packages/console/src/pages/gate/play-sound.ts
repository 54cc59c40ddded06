// A sound for each result of the gate: high and short for release, low and twice for control, one low tone otherwise.
import type { Outcome } from './decide-release.js';

type Tones = readonly [number, number, number][];

const STOP: Tones = [
  [220, 0, 0.25],
  [220, 0.35, 0.25],
];

/** The tones: frequency in hertz, start and duration in seconds. */
const TONES: Record<Outcome, Tones> = {
  release: [[880, 0, 0.15]],
  control: STOP,
  denied: STOP,
  pending: [[330, 0, 0.3]],
  undecided: [[330, 0, 0.3]],
  notPresented: [[330, 0, 0.3]],
  tooMany: [[330, 0, 0.3]],
  unknown: [[330, 0, 0.3]],
  unavailable: [[330, 0, 0.3]],
};

let context: AudioContext | undefined;

/** Plays the sound, once the user has used the page: browsers play none before. */
export function playSound(outcome: Outcome): void {
  if (!navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  for (const [frequency, start, duration] of TONES[outcome]) {
    const oscillator = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: 0.2 });
    oscillator.connect(gain).connect(destination);
    oscillator.start(currentTime + start);
    oscillator.stop(currentTime + start + duration);
  }
}
