// Places and reads an order with the Go client of ogen. Prints one line of JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"shop/api"
)

type key struct{}

func (key) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{Token: os.Getenv("KEY")}, nil
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value any, err error) T {
	check(err)
	typed, ok := value.(T)
	if !ok {
		panic(fmt.Sprintf("unexpected %T", value))
	}
	return typed
}

func upload(client *api.Client, picture []byte) string {
	request := api.CreateUploadReq{Filename: "dunes.png", ContentType: "image/png", SizeBytes: len(picture)}
	target := must[*api.UploadTargetEnvelopeHeaders](client.CreateUpload(context.Background(), &request, api.CreateUploadParams{})).Response.Data
	put, err := http.NewRequest("PUT", target.UploadUrl, bytes.NewReader(picture))
	check(err)
	put.Header.Set("Content-Type", target.ContentType)
	response, err := http.DefaultClient.Do(put)
	check(err)
	if response.StatusCode >= 300 {
		panic(response.Status)
	}
	return target.URL
}

func order(client *api.Client) any {
	ctx := context.Background()
	basket := api.CreateQuoteReq{
		Items: []api.LineItem{{
			ProductSlug: "fine-art-printing", Quantity: 1, ImageUrl: api.NewOptNilString(upload(client, []byte("0123456789"))),
			VariantSelections: api.LineItemVariantSelections{
				ArtworkWidthMm: api.NewOptString("300"), ArtworkHeightMm: api.NewOptString("400"), MediaId: api.NewOptString("media-cotton-rag-310"),
			},
		}},
		ShippingAddress: api.ShippingAddress{
			Name: "Ada Customer", Line1: "12 Hanging Lane", City: "Melbourne", State: "VIC", Postcode: "3000", Country: "AU", Email: "ada@example.com",
		},
	}
	refusal := must[*api.CreateQuoteBadRequest](client.CreateQuote(ctx, &basket, api.CreateQuoteParams{})).Response.Error
	for _, option := range refusal.Details.Value.ShippingOptions {
		if !option.RequiresQuote && !option.IsCollection {
			basket.ShippingMethodId = api.NewOptNilString(option.ID)
		}
	}
	quoteID := must[*api.QuoteEnvelopeHeaders](client.CreateQuote(ctx, &basket, api.CreateQuoteParams{})).Response.Data.QuoteId
	request := api.CreateOrderReq{QuoteId: quoteID}
	placed := must[*api.OrderEnvelopeHeaders](client.CreateOrder(ctx, &request, api.CreateOrderParams{IdempotencyKey: quoteID})).Response.Data
	return map[string]any{"refusal": refusal.Code, "quoteId": quoteID, "orderId": placed.OrderId, "status": placed.Status, "totalCents": placed.TotalCents}
}

func read(client *api.Client, orderID, quoteID string) any {
	ctx := context.Background()
	status := must[*api.GetOrderOKHeaders](client.GetOrder(ctx, api.GetOrderParams{ID: orderID})).Response.Data.Status
	request, params := api.CreateOrderReq{QuoteId: quoteID}, api.CreateOrderParams{IdempotencyKey: quoteID + "-2"}
	conflict := must[*api.CreateOrderConflict](client.CreateOrder(ctx, &request, params)).Response.Error
	return map[string]any{"status": status, "code": conflict.Code, "orderId": conflict.Details.Value.OrderId.Value}
}

func main() {
	client, err := api.NewClient(os.Getenv("API"), key{})
	check(err)
	var result any
	if os.Args[1] == "order" {
		result = order(client)
	} else {
		result = read(client, os.Args[2], os.Args[3])
	}
	check(json.NewEncoder(os.Stdout).Encode(result))
}
