// What has to be under control, by the rules of decision 0287, for tests: a model without a database, a time or a bound.

/** What goods hang on. */
export type Place = { master?: string; receptacle?: string };

type Written = Place & {
  isLodged: boolean;
  /** Whether a release comes with them. */
  isReleased?: boolean;
  declarant: string;
  representative?: string | undefined;
};

/** When it was decided, as a count of steps, and by whom. */
type Decided = { at: number; isOfficer: boolean };
type Control = Decided;
type Release = Decided & { seen: ReadonlySet<Control> };

type Goods = Written & {
  mrn: string;
  isPresented: boolean;
  isClosed: boolean;
  controls: Set<Control>;
  releases: Set<Release>;
};

/** A control that was kept of what goods had in common with others; its goods, while they are current. */
type Kept = { relation: string; control: Control; of: Goods | undefined };

/** Follows what is done with goods of one house document. */
export class ExpectedControls {
  /** Whether only expected parties may present: then whoever has declared the one has to have declared the other. */
  readonly #expectedOnly: boolean;
  readonly #goods = new Map<string, Goods>();
  /** The MRNs of goods which somebody has let go whom no profile replaces, also on another record of them. */
  readonly #released = new Set<string>();
  #kept: Kept[] = [];
  #now = 0;
  /** Whether nobody has decided yet. */
  isUntouched = true;

  constructor(expectedOnly = false) {
    this.#expectedOnly = expectedOnly;
  }

  /** Goods are lodged or declared, or replaced. */
  write(mrn: string, written: Written): void {
    this.#now++;
    const before = this.#goods.get(mrn);
    const goods: Goods = {
      mrn,
      isPresented: false,
      isClosed: false,
      controls: new Set(),
      releases: new Set(),
      ...(before && {
        isPresented: before.isPresented,
        isClosed: before.isClosed,
        controls: before.controls,
        releases: before.releases,
      }),
      ...written,
    };
    this.#goods.set(mrn, goods);
    if (before !== undefined) {
      for (const kept of this.#kept) if (kept.of === before) kept.of = goods;
      const has = this.#relationsOf(goods);
      const lost = this.#relationsOf(before).filter((relation) => !has.includes(relation));
      this.#keep(lost, goods, goods);
    }
    const has = this.#relationsOf(goods);
    for (const { relation, control, of } of this.#kept) {
      if (!has.includes(relation) || of === goods) continue;
      if (of !== undefined && (!isLive(control, of) || this.#relationsOf(of).includes(relation)))
        continue;
      goods.controls.add(control);
    }
    const same = this.#connected(goods, this.#isSame);
    if (written.isReleased || same.some((each) => this.#released.has(each.mrn))) {
      for (const each of same) this.#released.add(each.mrn);
    }
    const releases = same.flatMap((each) => [...each.releases]);
    for (const each of same) for (const release of releases) each.releases.add(release);
    const live = [...same.flatMap((each) => [...each.controls]), ...this.#liveAround(goods)];
    for (const each of same) for (const control of live) each.controls.add(control);
    this.#spread(
      goods,
      same.flatMap((each) => [...each.controls].filter((control) => isLive(control, each))),
    );
  }

  control(mrn: string, isOfficer: boolean): void {
    this.isUntouched = false;
    const goods = this.#goods.get(mrn);
    if (goods === undefined) return;
    const control = { at: ++this.#now, isOfficer };
    for (const each of this.#connected(goods, this.#isSame)) each.controls.add(control);
    this.#spread(goods, [control]);
  }

  release(mrn: string, isOfficer: boolean): void {
    this.isUntouched = false;
    const goods = this.#goods.get(mrn);
    if (goods === undefined) return;
    const same = this.#connected(goods, this.#isSame);
    const seen = new Set(
      same.flatMap((each) => [...each.controls].filter((one) => isLive(one, each))),
    );
    const release = { at: ++this.#now, isOfficer, seen };
    for (const each of same) {
      each.releases.add(release);
      this.#released.add(each.mrn);
    }
  }

  /** Goods are cancelled, or have expired, or are withdrawn. */
  withdraw(mrn: string): void {
    const goods = this.#goods.get(mrn);
    if (goods === undefined) return;
    this.#kept = this.#kept.flatMap((kept) => {
      if (kept.of !== goods) return kept;
      return isLive(kept.control, goods) ? { ...kept, of: undefined } : [];
    });
    this.#keep(this.#relationsOf(goods), goods, undefined);
    this.#goods.delete(mrn);
  }

  present(mrn: string): void {
    const goods = this.#goods.get(mrn);
    if (goods !== undefined) goods.isPresented = true;
  }

  /** A message is closed. What was released may end the controls that it has taken over; other controls outlast it. */
  close(mrn: string): void {
    const goods = this.#goods.get(mrn);
    if (goods === undefined) return;
    if (!this.isControlled(mrn)) this.#kept = [];
    else {
      for (const kept of this.#kept) if (kept.of === goods) kept.of = undefined;
      this.#keep(this.#relationsOf(goods), goods, undefined);
    }
    goods.isClosed = true;
  }

  /** Whether somebody has let goods go whom no profile replaces: what others have let go is none of these. */
  wasReleased(mrn: string): boolean {
    return this.#released.has(mrn);
  }

  isControlled(mrn: string): boolean {
    const goods = this.#goods.get(mrn);
    return goods !== undefined && isControlled(goods);
  }

  #keep(relations: readonly string[], goods: Goods, of: Goods | undefined): void {
    const live = [...goods.controls].filter((control) => isLive(control, goods));
    for (const relation of relations) {
      for (const control of live) this.#kept.push({ relation, control, of });
    }
  }

  /** Controls come to what is lodged beside goods, except to what has been released at the border. */
  #spread(goods: Goods, controls: readonly Control[]): void {
    for (const each of this.#connected(goods, this.#isConnected)) {
      const same = this.#connected(each, this.#isSame);
      if (same.some((one) => one.isPresented && !isControlled(one))) continue;
      for (const control of controls) each.controls.add(control);
    }
  }

  #liveAround(goods: Goods): Control[] {
    return this.#connected(goods, this.#isConnected).flatMap((each) =>
      [...each.controls].filter((control) => isLive(control, each)),
    );
  }

  #connected(goods: Goods, isEdge: (one: Goods, other: Goods) => boolean): Goods[] {
    const found = new Set([goods]);
    for (const one of found) {
      for (const other of this.#goods.values()) if (isEdge(one, other)) found.add(other);
    }
    return [...found];
  }

  #relationsOf(goods: Goods): string[] {
    if (this.#expectedOnly) return [`PARTY ${goods.declarant}`];
    const { master, receptacle } = goods;
    return [
      ...partiesOf(goods).map((party) => `PARTY ${party}`),
      ...(master === undefined ? [] : [`MASTER ${master}`]),
      ...(receptacle === undefined ? [] : [`RECEPTACLE ${receptacle}`]),
    ];
  }

  readonly #isSame = (one: Goods, other: Goods): boolean =>
    one.isLodged !== other.isLodged &&
    !one.isClosed &&
    !other.isClosed &&
    (isEqual(one.master, other.master) || isEqual(one.receptacle, other.receptacle)) &&
    (!this.#expectedOnly || mayPresent(one, other));

  readonly #isConnected = (one: Goods, other: Goods): boolean =>
    this.#isSame(one, other) ||
    (one.isLodged &&
      other.isLodged &&
      !one.isClosed &&
      !other.isClosed &&
      (!this.#expectedOnly || one.declarant === other.declarant) &&
      (isEqual(one.master, other.master) ||
        isEqual(one.receptacle, other.receptacle) ||
        (isAlone(one) &&
          isAlone(other) &&
          partiesOf(one).some((party) => partiesOf(other).includes(party)))));
}

const isEqual = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one === other;

/** Whether the submitter of what is lodged may present the ENS. */
function mayPresent(one: Goods, other: Goods): boolean {
  const [lodged, declared] = one.isLodged ? [one, other] : [other, one];
  return partiesOf(declared).includes(lodged.declarant);
}

const isAlone = ({ master, receptacle }: Place) => master === undefined && receptacle === undefined;

const partiesOf = ({ declarant, representative }: Written) =>
  representative === undefined ? [declarant] : [declarant, representative];

/** Whether nobody has released the goods who may replace a control: a system has to have seen that of an officer. */
function isLive(control: Control, { releases }: Goods): boolean {
  return [...releases].every((release) => {
    if (release.isOfficer) return release.at < control.at && control.isOfficer;
    return release.at < control.at || (control.isOfficer && !release.seen.has(control));
  });
}

function isControlled(goods: Goods): boolean {
  return [...goods.controls].some((control) => isLive(control, goods));
}
