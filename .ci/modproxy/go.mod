module github.com/hookctl/hookctl/.ci/modproxy

go 1.26

require golang.org/x/mod v0.33.0
