// The figures of one goods item: quantity, masses, value, duties and taxes.
import type { Random } from '../random.js';
import type { Subheading } from './subheadings.js';

/** Fictitious types of duty and tax, in the form that the specification requires. */
const CUSTOMS_DUTY = '1TL';
const VALUE_ADDED_TAX = '1MV';
const VALUE_ADDED_TAX_ON_FOOD = '1MF';
const EXCISE = '2SA';

const VALUE_ADDED_TAX_RATE = 0.25;
const VALUE_ADDED_TAX_RATE_ON_FOOD = 0.15;

/** The figures of a goods item. Masses are in kilograms, values in NOK. */
export type GoodsFigures = {
  StatisticalValue: number;
  GrossMass: number;
  NetMass: number;
  SupplementaryUnit?: number;
};

/** Makes a quantity of the goods, with its mass and value. */
export function measureGoods(random: Random, { price, unitMass }: Subheading): GoodsFigures {
  const pieces = unitMass === undefined ? undefined : quantity(random, 2.5e5 / (price * unitMass));
  const net = pieces === undefined ? 10 ** (1 + 3 * random.fraction()) : pieces * (unitMass ?? 0);
  const NetMass = Math.max(round(net, 3), 0.001);
  return {
    StatisticalValue: Math.max(round(net * price * (0.6 + random.fraction()), 0), 1),
    GrossMass: round(NetMass * (1.02 + 0.2 * random.fraction()), 3),
    NetMass,
    ...(pieces !== undefined && { SupplementaryUnit: pieces }),
  };
}

/** From one piece to ten times the usual quantity. */
function quantity(random: Random, usual: number): number {
  return Math.max(1, Math.round(usual * 10 ** (2 * random.fraction() - 1)));
}

/** One duty or tax of a goods item, in NOK. */
export type DutyOrTax = { TaxType: string; PayableTaxAmount: number };

/** The duties and taxes of an import: duty on clothes and some food, excise, and VAT on the sum. */
export function taxImport(random: Random, code: string, value: number): DutyOrTax[] {
  const duty = round(value * dutyRate(random, code), 0);
  const excise = round(value * exciseRate(code), 0);
  const food = isFood(code);
  const rate = food ? VALUE_ADDED_TAX_RATE_ON_FOOD : VALUE_ADDED_TAX_RATE;
  return [
    ...(duty > 0 ? [{ TaxType: CUSTOMS_DUTY, PayableTaxAmount: duty }] : []),
    ...(excise > 0 ? [{ TaxType: EXCISE, PayableTaxAmount: excise }] : []),
    {
      TaxType: food ? VALUE_ADDED_TAX_ON_FOOD : VALUE_ADDED_TAX,
      PayableTaxAmount: round((value + duty + excise) * rate, 2),
    },
  ];
}

/** Whether the reduced rate for food applies. Alcohol and tobacco are excluded. */
export function isFood(code: string): boolean {
  const chapter = Number(code.slice(0, 2));
  const heading = Number(code.slice(0, 4));
  if (heading >= 2203 && heading <= 2208) return false;
  return (
    (chapter >= 2 && chapter <= 4) ||
    (chapter >= 7 && chapter <= 11) ||
    (chapter >= 15 && chapter <= 22)
  );
}

function dutyRate(random: Random, code: string): number {
  const chapter = code.slice(0, 2);
  if (chapter === '61' || chapter === '62') return random.chance(0.6) ? 0.107 : 0;
  if (chapter === '02' || chapter === '04') return random.chance(0.5) ? 0.3 : 0;
  return 0;
}

function exciseRate(code: string): number {
  if (code.startsWith('2208')) return 2.1;
  if (/^220[3-6]/.test(code)) return 0.9;
  return /^24/.test(code) ? 1.6 : 0;
}

function round(number: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(number * factor) / factor;
}
