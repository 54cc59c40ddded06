// The goods of the trial data: some subheadings of each chapter of the Harmonized System. A table, and therefore long.

/** One kind of goods. */
export type Subheading = {
  /** Six digits (HS 2022). */
  code: string;
  /** Usual price, in NOK per kilogram. */
  price: number;
  /** Mass of one supplementary unit (a piece, a pair, a litre) in kilograms, if the goods have such a unit. */
  unitMass: number | undefined;
  /** A short name. */
  name: string;
};

// Each line: subheading, NOK per kilogram, `/` and kilograms per supplementary unit, name.
const table = `
010121 90 /500 Horses, pure-bred for breeding
010229 35 /600 Cattle, live
010619 150 Mammals, live, other
020130 110 Beef, boneless, fresh or chilled
020329 48 Pork, frozen, other cuts
020442 75 Mutton, with bone, frozen
020714 32 Chicken cuts, frozen
030214 85 Atlantic salmon, fresh or chilled
030363 42 Cod, frozen
030441 140 Salmon fillets, fresh or chilled
030551 110 Cod, dried
030617 95 Shrimps, frozen
040120 9 Milk, 1 to 6 % fat
040510 52 Butter
040690 78 Cheese, other
040721 28 Hens' eggs, fresh
050400 40 Guts and bladders of animals
050510 160 Feathers for stuffing
051191 14 Fish offal, not for food
060110 60 Bulbs, dormant
060290 45 Live plants, other
060311 70 Roses, cut
060420 35 Foliage, fresh
070200 21 Tomatoes, fresh
070310 9 Onions, fresh
070511 24 Lettuce, cabbage type
070960 27 Peppers, fresh
071340 14 Lentils, dried
080211 75 Almonds, in shell
080390 12 Bananas, fresh
080440 32 Avocados, fresh
080510 13 Oranges, fresh
080810 14 Apples, fresh
081010 45 Strawberries, fresh
090111 62 Coffee, not roasted
090121 95 Coffee, roasted
090240 58 Black tea, in bulk
090411 80 Pepper, neither crushed nor ground
100199 3 Wheat, other than durum
100390 3 Barley
100590 4 Maize
100630 12 Rice, milled
110100 5 Wheat flour
110710 6 Malt, not roasted
110812 7 Maize starch
120190 6 Soya beans
120400 9 Linseed
120991 340 Vegetable seeds, for sowing
130120 60 Gum arabic
130219 420 Vegetable saps and extracts, other
130231 280 Agar-agar
140120 25 Rattan
140490 18 Vegetable products, other
150420 26 Fish oils
150920 85 Olive oil, extra virgin
151419 14 Rape oil, refined
151620 19 Vegetable fats, hydrogenated
160100 70 Sausages
160413 65 Sardines, prepared
160414 72 Tuna, prepared
160521 110 Shrimps, prepared
170199 9 Sugar, refined
170230 11 Glucose
170490 55 Sweets without cocoa
180100 48 Cocoa beans
180500 90 Cocoa powder
180632 85 Chocolate in bars, not filled
190219 18 Pasta, uncooked
190410 32 Breakfast cereals
190590 44 Bread, cakes and biscuits, other
200290 14 Tomatoes, prepared
200410 17 Potatoes, prepared, frozen
200799 30 Jams, other
200912 12 Orange juice, not frozen
210111 170 Coffee extracts
210390 36 Sauces, other
210690 82 Food preparations, other
220110 6 /1 Mineral water
220300 14 /1 Beer
220421 62 /1 Wine, in bottles
220830 120 /0.95 Whisky
230120 16 Fish meal
230400 6 Soya oil-cake
230910 28 Dog and cat food
240120 70 Tobacco, stemmed
240220 260 /0.001 Cigarettes
240399 310 Tobacco, manufactured, other
250100 1 Salt
251710 1 Gravel and crushed stone
252329 2 Portland cement
260111 1 Iron ore, not agglomerated
260300 22 Copper ore
260600 1 Bauxite
270112 2 Bituminous coal
271012 7 Light oils
271019 8 Gas oils and other oils
271121 4 Natural gas, gaseous
280440 9 Oxygen
281410 6 Ammonia
281512 4 Caustic soda in solution
284910 8 Calcium carbide
290511 5 Methanol
290531 9 Ethylene glycol
292250 240 Amino-alcohol-phenols
294190 2400 Antibiotics, other
300241 9000 Vaccines for people
300420 3200 Medicines with antibiotics
300490 1900 Medicines, other
300510 180 Plasters
310210 5 Urea
310430 5 Potassium sulphate
310520 6 Fertilisers with N, P and K
320611 28 Titanium dioxide pigments
320890 48 Paints in a non-aqueous medium
321410 26 Putty and fillers
330300 640 Perfumes
330499 310 Skin care, other
330510 70 Shampoo
330610 85 Toothpaste
340130 48 Skin washing preparations
340250 26 Washing agents for retail
340600 52 Candles
350300 75 Gelatine
350691 58 Adhesives
350790 420 Enzymes
360200 22 Explosives
360410 140 Fireworks
360500 60 Matches
370110 480 X-ray plates
370390 130 Photographic paper
370710 110 Photographic emulsions
380210 24 Activated carbon
380891 160 Insecticides
382499 45 Chemical preparations, other
390120 14 Polyethylene, dense
390210 13 Polypropylene
391740 95 Pipe fittings of plastics
392321 32 Bags of polyethylene
392690 120 Articles of plastics, other
400122 19 Natural rubber
401110 62 /9 Car tyres
401693 340 Gaskets of rubber
410150 22 Hides, whole, heavy
410712 220 Leather, grain splits
411310 280 Goatskin leather
420212 130 /3 Trunks and cases
420221 900 /0.6 Handbags of leather
420310 750 Leather clothes
430110 3800 /0.4 Mink skins, raw
430219 2600 Furskins, tanned, other
430310 4200 /2 Fur clothes
440131 3 Wood pellets
440711 4 /480 Pine, sawn
441231 18 /600 Plywood, tropical
441829 55 /30 Doors of wood
450310 180 Corks
450410 90 Cork tiles
460212 95 Baskets of rattan
460219 80 Wickerwork, other
470321 8 Sulphate pulp, bleached
470620 6 Pulp of waste paper
470710 2 Waste cardboard
480257 13 Office paper
480300 16 Tissue paper
481910 19 Boxes of corrugated board
482110 75 Labels, printed
490199 140 Books
490290 40 Newspapers
491110 65 Advertising print
500200 620 Raw silk
500400 780 Silk yarn
500720 1600 /0.06 Silk fabrics
510111 42 Wool, greasy
510710 260 Combed wool yarn
511211 420 /0.2 Wool fabrics
520100 22 Cotton
520512 60 Cotton yarn
520942 105 /0.3 Denim
530121 28 Flax, scutched
530610 120 Flax yarn
530911 260 /0.2 Linen fabrics
540233 38 Polyester yarn, textured
540752 140 /0.1 Polyester fabrics, dyed
540831 180 /0.1 Viscose fabrics
550320 16 Polyester staple fibres
550810 110 Sewing thread
551311 88 /0.1 Fabrics of polyester and cotton
560312 62 Nonwovens
560750 75 Ropes of synthetic fibres
560811 130 Fishing nets
570110 680 /3 Knotted carpets of wool
570242 90 /2 Woven carpets
580620 210 Narrow woven fabrics, elastic
580710 480 Labels, woven
581092 340 Embroidery
590310 75 /0.5 Fabrics coated with PVC
591000 420 Belts for machines
591190 310 Technical textiles, other
600192 130 Pile fabrics
600410 190 Knitted fabrics, elastic
600632 120 Knitted fabrics, dyed
610910 210 /0.15 T-shirts of cotton
611020 280 /0.4 Pullovers of cotton
611030 260 /0.4 Pullovers of man-made fibres
611595 180 /0.05 Socks of cotton
620342 290 /0.5 Trousers of cotton, for men
620462 300 /0.4 Trousers of cotton, for women
620520 340 /0.25 Shirts of cotton
621210 900 /0.08 Brassieres
630140 95 Blankets of synthetic fibres
630231 130 Bed linen of cotton
630790 110 Textile articles, other
640299 180 /0.7 Shoes of plastics
640391 420 /1.2 Boots of leather
640411 310 /0.6 Sports shoes
650400 260 /0.1 Hats, plaited
650500 320 /0.1 Hats, knitted
650610 380 /0.5 Safety headgear
660110 90 /1.5 Garden umbrellas
660191 140 /0.4 Umbrellas, telescopic
660200 150 /0.4 Walking sticks
670210 70 Artificial flowers of plastics
670411 1100 Wigs
670420 3200 Articles of human hair
680223 12 Granite, cut
680610 14 Rock wool
681011 2 Blocks of concrete
690210 18 Refractory bricks
690721 11 /20 Ceramic tiles
691010 48 /15 Washbasins of porcelain
691110 95 Porcelain for the table
700529 10 /10 Float glass
700719 28 /12 Toughened glass
701090 9 Bottles of glass
701337 65 Drinking glasses
711311 14000 Jewellery of silver
711319 320000 Jewellery of gold
711719 900 Imitation jewellery
720293 300 Ferro-niobium
720839 9 Hot-rolled coils
721049 13 Galvanised sheets
721420 8 Reinforcing bars
730431 38 Seamless tubes
730820 42 Towers and masts
731815 75 Screws and bolts
732690 88 Articles of iron or steel, other
740311 88 Copper cathodes
740811 96 Copper wire
741220 210 Fittings of copper alloys
750210 180 Nickel, not alloyed
750512 320 Nickel alloy bars
750890 480 Articles of nickel
760110 24 Aluminium, not alloyed
760120 27 Aluminium alloys
760421 62 Hollow profiles of aluminium
761699 130 Articles of aluminium, other
780110 23 Lead, refined
780411 40 Lead sheets
780600 62 Articles of lead
790111 29 Zinc, not alloyed
790310 42 Zinc dust
790700 75 Articles of zinc
800110 290 Tin, not alloyed
800300 360 Tin bars and wire
800700 420 Articles of tin
810411 30 Magnesium, unwrought
810520 380 Cobalt mattes
810890 620 Articles of titanium
820411 140 Spanners
820559 160 Hand tools, other
820750 540 Drilling tools
821192 340 Knives with fixed blades
830140 190 Locks
830210 110 Hinges
830242 85 Furniture fittings
840734 180 /150 Petrol engines over 1000 cc
841191 2900 Parts of turbojets
841370 220 /40 Centrifugal pumps
841810 65 /80 Refrigerators with freezers
842952 95 /20000 Excavators
844332 160 /12 Printers
847130 1900 /1.8 Portable computers
848180 310 Taps and valves
848210 190 /0.3 Ball bearings
850164 140 /5000 Generators over 750 kVA
850440 420 Static converters
850760 180 /0.05 Lithium-ion accumulators
851713 5200 /0.25 Smartphones
852872 240 /14 Television receivers
853710 380 Control panels
854143 60 /20 Photovoltaic modules
854231 9500 Processors, integrated circuits
854449 90 Cables up to 1000 V
860310 210 /40000 Railcars, electric
860719 45 Axles and wheels
860900 22 /2300 Containers
870323 140 /1500 Cars, petrol, 1500 to 3000 cc
870380 190 /1900 Cars, electric
870421 110 /2200 Lorries up to 5 t, diesel
870829 105 Parts of car bodies
870893 130 Clutches
871200 260 /14 Bicycles
880240 6800 /20000 Aeroplanes over 15 t
880622 2400 /1 Drones up to 7 kg
880730 4200 Parts of aircraft
890190 30 /4000000 Cargo ships
890332 160 /6000 Motor boats
890710 340 /60 Inflatable rafts
900130 12000 Contact lenses
901380 1500 Optical devices, other
901890 1800 Medical instruments, other
902610 1300 Flow meters
903289 1600 Controlling instruments
910111 24000 /0.08 Wrist-watches, precious metal
910211 6500 /0.08 Wrist-watches, electric
911320 1100 Watch straps
920110 160 /250 Upright pianos
920290 420 /3 Guitars
920790 520 /8 Electric instruments
930330 1100 /3.5 Hunting rifles
930621 160 Cartridges for shotguns
930690 400 Ammunition, other
940161 85 /25 Seats, upholstered
940350 42 /40 Bedroom furniture
940360 46 /30 Wooden furniture, other
940511 160 Lamps with LED
940610 38 Prefabricated buildings of wood
950300 150 Toys
950450 1400 /1.5 Video game consoles
950611 420 /4 Skis
950691 95 Exercise equipment
960321 180 Toothbrushes
960719 130 Slide fasteners
960810 280 Ball-point pens
961900 36 Nappies and sanitary towels
970121 5200 /3 Paintings over 100 years old
970191 3800 /3 Paintings, other
970610 2600 Antiques over 250 years old
`;

/** The goods, in the order of their codes' chapters. */
export const subheadings: readonly Subheading[] = table.trim().split('\n').map(readLine);

function readLine(line: string): Subheading {
  const found = /^(\d{6}) (\d+) (?:\/([\d.]+) )?(.+)$/.exec(line);
  const [, code, price, unitMass, name] = found ?? [];
  if (code === undefined || name === undefined) throw new Error(`not a line of goods: ${line}`);
  return {
    code,
    price: Number(price),
    unitMass: unitMass === undefined ? undefined : Number(unitMass),
    name,
  };
}
