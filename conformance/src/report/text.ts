// The report on a terminal.
import { styleText } from 'node:util';
import type { Outcome, RequirementResult } from '../suite/run-suite.js';
import { countOutcomes, countOutOfTime, type Report, sourcesOf, untestedCases } from './report.js';

const marks: Record<Outcome, readonly [string, 'green' | 'red' | 'yellow']> = {
  passed: ['passed    ', 'green'],
  failed: ['FAILED    ', 'red'],
  'not tested': ['not tested', 'yellow'],
};

/** Colours a text, or leaves it as it is. */
type Paint = (colour: 'green' | 'red' | 'yellow' | 'dim', text: string) => string;

/** Colours for a terminal; none if `colours` is false. */
export function makePaint(colours: boolean): Paint {
  return (colour, text) => (colours ? styleText(colour, text, { validateStream: false }) : text);
}

/** The lines for one requirement, printed when its cases have ended. */
export function describeResult(result: RequirementResult, paint: Paint): string {
  const { requirement, outcome, cases } = result;
  const [mark, colour] = marks[outcome];
  const lines = [`${paint(colour, mark)}  ${requirement.id}  ${requirement.sentence}`];
  const failed = cases.filter((one) => one.outcome === 'failed');
  for (const { name, message = '', exchanges = [] } of failed) {
    lines.push(`            ${name}:`, indent(message, 14));
    const last = exchanges.at(-1);
    if (last !== undefined) {
      lines.push(paint('dim', indent(`${last.request}\n\n${last.response}`, 16)));
    }
  }
  if (failed.length > 0) lines.push(paint('dim', `            source: ${sourcesOf(result)}`));
  for (const { name, message = '' } of untestedCases(result)) {
    lines.push(paint('dim', `            not tested: ${name}: ${message}`));
  }
  return lines.join('\n');
}

/** The last lines: the counts. */
export function describeCounts(report: Report, paint: Paint): string {
  const { results, durationMs } = report;
  const counts = countOutcomes(results);
  const cases = results.flatMap((result) => result.cases);
  const noun = counts.passed === 1 ? 'requirement' : 'requirements';
  const text = `${counts.passed} ${noun} passed, ${counts.failed} failed, ${counts['not tested']} not tested`;
  const outOfTime = countOutOfTime(report);
  const colour = counts.failed > 0 || outOfTime > 0 ? 'red' : 'green';
  const line = `${paint(colour, text)} (${cases.length} cases in ${(durationMs / 1000).toFixed(1)} s)`;
  if (outOfTime === 0) return line;
  const were = outOfTime === 1 ? '1 case had' : `${outOfTime} cases had`;
  return `${line}\n${paint('red', `The time was over: ${were} not ended. A longer --timeout tests them.`)}`;
}

function indent(text: string, width: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(width));
}
