// SQL of relations: the messages that they couple, making them, and cancelling them.
import type { ModeName, RelatedType } from '@landfall/contract';
import type { Statement } from '../database/database.js';
import { Parameters } from '../database/parameters.js';

/** The MRN of the current relation by which a message hangs on another one, as an expression; null without one. */
export const relationBetween = (parent: string, child: string) =>
  `(select mrn from movement_relation where parent = ${parent} and child = ${child} and cancelled_at is null limit 1)`;

/** A current message that can be related. */
export type RelatableMessage = { id: number; mrn: string; type: RelatedType };

/** Which of these messages are current and of a mode. */
export function selectRelatable(
  mrns: readonly string[],
  mode: ModeName,
): Statement<RelatableMessage> {
  return {
    name: 'select-relatable-messages',
    text: `
      select m.declaration_id as id, d.mrn, m.level as type
      from declaration d
      join movement m on m.declaration_id = d.id
      where d.mrn = any ($1::text[]) and m.mode = $2 and m.state is null`,
    values: [mrns, mode],
  };
}

/** The current relation of two messages. */
export function selectRelationOf(
  parent: number,
  child: number,
): Statement<{ mrn: string; maker: number }> {
  return {
    name: 'select-relation-of-two',
    text: `
      select mrn, maker from movement_relation
      where parent = $1 and child = $2 and cancelled_at is null`,
    values: [parent, child],
  };
}

/** A relation that is made. */
export type NewRelation = {
  mrn: string;
  parent: number;
  child: number;
  maker: number;
  requestId: string;
};

/** Adds a relation, unless something has its MRN or the two are related already. */
export function insertRelation(
  { mrn, parent, child, maker, requestId }: NewRelation,
  at: Date,
): Statement<{ mrn: string }> {
  const given = new Parameters();
  const ofRelation = given.add(mrn, 'text');
  return {
    name: 'insert-relation',
    text: `
      insert into movement_relation (mrn, parent, child, maker, request_id, related_at)
      select ${ofRelation}, ${given.add(parent, 'integer')}, ${given.add(child, 'integer')},
        ${given.add(maker, 'integer')}, ${given.add(requestId, 'uuid')}, ${given.add(at, 'timestamptz')}
      where not exists (select from declaration where mrn = ${ofRelation})
      on conflict do nothing
      returning mrn`,
    values: given.values,
  };
}

/** A relation, as whoever cancels it needs it. */
export type ExistingRelation = {
  mode: ModeName;
  maker: number;
  makerIdentifier: string;
  /** Who has lodged the two messages. */
  submitters: number[];
  parent: string;
  child: string;
  childId: number;
  childType: RelatedType;
  /** The submitter and the representative of the lower message. */
  childParties: number[];
  isCancelled: boolean;
  /** Whether both messages are current. */
  isCurrent: boolean;
};

/** The relation with an MRN. */
export function selectRelation(mrn: string): Statement<ExistingRelation> {
  return {
    name: 'select-relation',
    text: `
      select p.mode, r.maker, o.identifier as "makerIdentifier", array[p.submitter, c.submitter] as submitters, upper_end.mrn as parent, lower_end.mrn as child,
        r.child as "childId", c.level as "childType", array_remove(array[c.submitter, c.representative], null) as "childParties",
        r.cancelled_at is not null as "isCancelled", p.state is null and c.state is null as "isCurrent"
      from movement_relation r
      join organisation o on o.id = r.maker
      join movement p on p.declaration_id = r.parent
      join movement c on c.declaration_id = r.child
      join declaration upper_end on upper_end.id = r.parent
      join declaration lower_end on lower_end.id = r.child
      where r.mrn = $1`,
    values: [mrn],
  };
}

/**
 * Whether goods were presented because of a relation: a transport above it has arrived, and its arrival has presented goods
 * below it.
 *
 * @param expectedOnly whether only expected parties couple by documents
 */
export function selectPresentedByRelation(
  mrn: string,
  expectedOnly: boolean,
): Statement<{ presented: boolean }> {
  return {
    name: 'select-presented-by-relation',
    text: `
      with relation as materialized (
        select r.parent, r.child, p.level as parent_level, c.level as child_level
        from movement_relation r
        join movement p on p.declaration_id = r.parent
        join movement c on c.declaration_id = r.child
        where r.mrn = $1
      ),
      transport as materialized (
        select m.submitter, m.arrival_request_id
        from relation
        cross join lateral (
          select relation.parent as id where relation.parent_level = 'TRANSPORT'
          union all
          select id from transports_of_master(relation.parent, $2) where relation.parent_level = 'MASTER_CONSIGNMENT'
        ) above
        cross join lateral (select * from movement where declaration_id = above.id offset 0) m
        where m.arrived_at is not null
      ),
      house as materialized (
        select below.id
        from relation
        cross join lateral (
          select relation.child as id where relation.child_level = 'HOUSE_CONSIGNMENT'
          union all
          select id from houses_of_master(relation.child, $2) where relation.child_level = 'MASTER_CONSIGNMENT'
        ) below
        where exists (select from transport)
      )
      select exists (
        select from house
        cross join lateral (select id from house_consignment where ens_id = house.id offset 0) h
        cross join lateral (
          select presenter, request_id from signal_recipient where house_consignment_id = h.id offset 0
        ) c
        where (c.presenter, c.request_id) in (select submitter, arrival_request_id from transport)
      ) as presented`,
    values: [mrn, expectedOnly],
  };
}

/** Ends a relation. */
export function endRelation(mrn: string, at: Date): Statement {
  return {
    name: 'end-relation',
    text: 'update movement_relation set cancelled_at = $2 where mrn = $1',
    values: [mrn, at],
  };
}
