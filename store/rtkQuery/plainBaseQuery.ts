import type { BaseQueryFn, EndpointBuilder, QueryReturnValue } from '@reduxjs/toolkit/query'

/**
 * Any base query, within this folder: what it takes and gives is the app's, and a generic one would be opaque to the
 * compiler where endpoints are made.
 */
export type PlainBaseQuery = BaseQueryFn<unknown, unknown, unknown, object, object>

/** The builder of an api with any base query, tags and path. */
export type PlainBuilder = EndpointBuilder<PlainBaseQuery, string, string>

/** What a query function gives. */
export type EndpointAnswer<Data> = QueryReturnValue<Data, unknown, object>

/** The base query as a query function gets it. */
export type AskBaseQuery = (request: unknown) => ReturnType<PlainBaseQuery>
