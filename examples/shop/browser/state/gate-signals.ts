let audio: AudioContext | undefined;

/** Tones and a vibration: one high and short tone for a welcome, two low and long ones for a refusal. */
export function signal(isAdmitted: boolean): void {
  navigator.vibrate?.(isAdmitted ? 80 : [200, 100, 200]);
  const tones = isAdmitted
    ? [{ hertz: 1_320, at: 0, seconds: 0.15 }]
    : [0, 0.3].map((at) => ({ hertz: 220, at, seconds: 0.22 }));
  // A device without sound still shows the verdict.
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  // Browsers play nothing before the first touch or key.
  void audio.resume().catch(() => {});
  for (const { hertz, at, seconds } of tones) play(audio, hertz, audio.currentTime + at, seconds);
}

function play(context: AudioContext, hertz: number, at: number, seconds: number): void {
  const tone = new OscillatorNode(context, { frequency: hertz, type: 'square' });
  const volume = new GainNode(context, { gain: 0.2 });
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds);
}
